from core.events.facts_columns import arranged
from core.events.facts_picture import facts_picture
from core.events.facts_text import cell_words, grid_table
from core.results.table_files import as_csv
from tests.unit.events.test_facts import QUAKE, event


def heads(grid):
    return [column.head for column in grid.columns]


def test_columns_are_left_out_renamed_and_in_the_order_of_choice():
    timeline, grid = event(*QUAKE)
    dead, hurt = (heads(grid).index(head) for head in ("dead", "hurt"))
    chosen = arranged(grid, [(hurt, "injured"), (dead, "dead")])
    assert heads(chosen) == ["injured", "dead"]
    shown = [[cell_words(row.cells[at]) for row in of.rows] for of, at in ((chosen, 1), (grid, dead))]
    assert shown[0] == shown[1]
    assert chosen.columns[0].colour < chosen.columns[1].colour, "letters run on from the first column"
    assert len(grid.columns) > len(chosen.columns)
    csv = as_csv(grid_table(chosen, timeline))
    assert csv.splitlines()[0].endswith("injured,dead")
    assert "Peru" not in csv.replace(" in Peru", "").replace("Peru:", "").replace("Perú", "")
    picture = facts_picture(chosen, timeline.texts, title="", source="").decode()
    assert ">injured<" in picture
    assert ">where<" not in picture


def test_columns_of_one_name_are_one_and_their_values_never_one_value():
    _, grid = event(*QUAKE)
    dead, hurt = (heads(grid).index(head) for head in ("dead", "hurt"))
    both = arranged(grid, [(dead, "casualties"), (hurt, "casualties")])
    assert heads(both) == ["casualties"]
    assert both.columns[0].values == grid.columns[dead].values + grid.columns[hurt].values
    for row, before in zip(both.rows, grid.rows, strict=True):
        (cell,) = row.cells
        assert cell_words(cell) == "; ".join(
            filter(None, map(cell_words, (before.cells[dead], before.cells[hurt])))
        )
        first = {stated.colour for stated in cell[: len(before.cells[dead])]}
        assert not {stated.colour for stated in cell[len(before.cells[dead]) :]} & first


def test_a_grid_without_columns_keeps_its_outlets():
    _, grid = event(*QUAKE)
    empty = arranged(grid, [])
    assert not empty.columns
    assert [row.outlet for row in empty.rows] == [row.outlet for row in grid.rows]
    assert all(row.cells == () for row in empty.rows)
