"""The OpenAPI document is one, and what it says of every address holds for whatever is sent there."""

import json
from functools import cache

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.server.study_routes import openapi_document as document
from core.files import ROOT

RULES = json.loads((ROOT / "tests/data/openapi_3.1.json").read_text())
"""The schema of OpenAPI documents by the OpenAPI Initiative (Apache 2.0)."""
OPERATIONS = [(method, path) for path, item in document()["paths"].items() for method in item]
ROLES = ("manager", "annotator", "adjudicator")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def resolved(schema):
    name = schema.get("$ref", "").rpartition("/")[2]
    return document()["components"]["schemas"][name] if name else schema


def drawn(schema):
    """What a schema of the document allows."""
    schema = resolved(schema)
    if "anyOf" in schema:
        return st.one_of(*map(drawn, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        parts = {name: drawn(part) for name, part in schema["properties"].items()}
        needed = {name: parts.pop(name) for name in schema.get("required", ())}
        return st.fixed_dictionaries(needed, optional=parts)
    if kind == "object":
        inner = drawn(schema.get("additionalProperties", {}))
        return st.dictionaries(st.text(max_size=20), inner, max_size=4)
    if kind == "array":
        inner = drawn(schema.get("items", {}))
        return st.lists(inner, min_size=schema.get("minItems", 0), max_size=min(5, schema.get("maxItems", 5)))
    if kind == "string" and "pattern" in schema:
        return st.from_regex(schema["pattern"])
    if kind == "string":
        return st.text(max_size=schema.get("maxLength", 60))
    if kind in {"integer", "number"}:
        make = st.integers if kind == "integer" else st.floats
        return make(schema.get("minimum"), schema.get("maximum"))
    return {"boolean": st.booleans(), "null": st.none()}.get(kind, ANYTHING)


def test_the_document_is_one_of_openapi():
    jsonschema.Draft202012Validator(RULES).validate(document())
    for schema in document()["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    names = set(json.dumps(document()).split("#/components/schemas/")[1:])
    assert {name.partition('"')[0] for name in names} <= set(document()["components"]["schemas"])
    assert jsonschema.Draft202012Validator(RULES).is_valid({"openapi": "3.1.0"}) is False


def test_every_holder_of_a_token_reads_it(program):
    for role in ROLES:
        assert program(role, role).ask("/api/openapi.json") == json.loads(json.dumps(document()))


@cache
def checker(method, path, status):
    about = document()["paths"][path][method]["responses"][str(status)]
    if "content" not in about:
        return None
    schema = about["content"]["application/json"]["schema"]
    return jsonschema.Draft202012Validator({**schema, "components": document()["components"]})


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_address_answers_as_the_document_says(method, path, program, study, data):
    """Whatever is sent, also what the document does not allow, by any role, of this study or of none."""
    known = [pair.id for pair in study.pairs]
    taken = document()["paths"][path][method].get("requestBody")
    body = None
    if taken:
        schema = taken["content"]["application/json"]["schema"]
        body = data.draw(drawn(schema) | ANYTHING)
        if isinstance(body, dict) and "item" in body:
            body["item"] = data.draw(st.sampled_from([*known, body["item"]]))
        if isinstance(body, dict) and "items" in body:
            item = st.fixed_dictionaries({"left": st.text(max_size=30), "right": st.text(max_size=30)})
            body["items"] = data.draw(st.lists(item | ANYTHING, max_size=4))
    who = holders(program)[data.draw(st.sampled_from(ROLES))]
    code = data.draw(st.sampled_from([study.code] * 4 + ["00000000", "x", "%2e%2e", "%00"]))
    answer = who.client.request(
        method,
        f"/api{path.replace('{code}', code)}",
        headers={"authorization": f"Bearer {who.token}"},
        content=b"" if body is None else json.dumps(body).encode(),
    )
    assert str(answer.status_code) in document()["paths"][path][method]["responses"], answer.text
    assert "Traceback" not in answer.text
    check = checker(method, path, answer.status_code)
    if check is None:
        assert not answer.content
    else:
        check.validate(answer.json())


def holders(program, made={}):  # noqa: B006 - one of each role a test
    if made.get("of") is not program:
        made.clear()
        made |= {"of": program, **{role: program(role, role) for role in ROLES}}
        made["annotator"].ask("join", {"agree": True, "background": {"Age": "40"}}, status=204)
    return made


def test_an_address_says_which_methods_it_has(program, study):
    manager = program("manager")
    answer = manager.client.put(f"/api/studies/{study.code}/items", content=b"{}")
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer.headers["allow"].split(", "))
    assert answer.json()["error"]
    assert manager.client.request("BREW", "/api/studies").json()["error"]


@pytest.mark.parametrize("path", ["/api/study", "/lab/api/studies/00000000/item", "/api/", "/api/studies/"])
def test_an_address_that_is_none_is_said_as_other_refusals_are(path, program, server):
    assert "error" not in server.get(path).text, "nothing is said before there is a token"
    manager = program("manager")
    for method in ("GET", "POST", "DELETE"):
        assert manager.ask(path, method=method, status=404)["error"]
