from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from core.errors import Cancelled, CoreError, DataSourceError
from core.runtime import Runtime
from research.runs.loop import Plan, Schedule, TrainingTask, fit
from tests.training_data import started

PLAN = Plan(epochs=3, learning_rate=0.05, warmup_steps=4)


def network():
    torch.manual_seed(7)
    # Dropout draws random numbers; normalising by batch changes buffers; both must be taken up again.
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Dropout(0.3), nn.Linear(8, 1))


def examples():
    random = torch.Generator().manual_seed(1)
    inputs = torch.randn(48, 4, generator=random)
    return inputs, (inputs[:, :1] - inputs[:, 1:2] > 0).float()


def batches(epoch):
    inputs, targets = examples()
    order = np.random.default_rng([5, epoch]).permutation(len(inputs))
    return [(inputs[rows], targets[rows]) for rows in np.split(order, 6)]


def task(module, *, scores=None, after=0, stop=None):
    """A task that sets `stop` in its step `after`, and validates as `scores` say."""
    seen = [0]
    told = list(scores or ())

    def loss(batch):
        seen[0] += 1
        if stop is not None and seen[0] == after:
            stop.stop.set()
        return nn.functional.binary_cross_entropy_with_logits(module(batch[0]), batch[1])

    def validate():
        torch.rand(3)
        return {"f1": told.pop(0)} if told else {}

    return TrainingTask(module=module, batches=batches, loss=loss, validate=validate)


def weights(module):
    return {name: value.clone() for name, value in module.state_dict().items()}


def same(left, right):
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


def plain_loop(plan):
    """The reference: the same training, written out."""
    module = network()
    rates = Schedule(plan.learning_rate, steps=plan.epochs * 6, warmup=plan.warmup_steps)
    optimizer = torch.optim.Adam(module.parameters())
    torch.manual_seed(0)
    losses = []
    for step in range(plan.epochs * 6):
        optimizer.param_groups[0]["lr"] = rates.rate(step)
        inputs, targets = batches(step // 6)[step % 6]
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(module.train()(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return weights(module), losses


def test_it_is_adam_with_the_schedule(tmp_path):
    expected, losses = plain_loop(PLAN)
    module = network()
    run = started(tmp_path / "run")
    position = fit(task(module), PLAN, run, Runtime())
    assert same(weights(module), expected)
    assert (position.step, position.ended) == (18, True)
    lines = run.progress()
    assert [line["loss"] for line in lines] == pytest.approx(losses, abs=1e-6)
    assert [line["step"] for line in lines] == list(range(1, 19))
    assert lines[-1]["seconds_left"] == 0
    assert run.about()["warmup"] == 4


@pytest.mark.parametrize("after", [1, 6, 13])
@pytest.mark.parametrize("by_file", [False, True])
def test_stopped_and_taken_up_again_gives_the_same_weights(tmp_path, after, by_file):
    expected, losses = plain_loop(PLAN)
    run = started(tmp_path / "run")
    stopping = Runtime()
    first = task(network(), after=after, stop=stopping)
    if by_file:
        first = replace(first, batches=lambda epoch: run.ask_to_stop() or batches(epoch))
    with pytest.raises(Cancelled):
        fit(first, PLAN, run, stopping)
    assert len(run.progress()) == (1 if by_file else after)
    module = network()
    torch.rand(17)
    run.start()
    fit(task(module), PLAN, run, Runtime())
    assert same(weights(module), expected)
    assert [line["loss"] for line in run.progress()] == pytest.approx(losses, abs=1e-6)


def test_the_weights_with_the_best_f1_are_kept(tmp_path):
    one = network()
    fit(task(one), replace(PLAN, epochs=3), started(tmp_path / "no_validation"), Runtime())
    run = started(tmp_path / "run")
    module = network()
    caught: list[dict[str, torch.Tensor]] = []
    scored = task(module, scores=[0.5, 0.7, 0.6])

    def validate():
        assert not module.training
        caught.append(weights(module))
        return scored.validate()

    position = fit(replace(scored, validate=validate), PLAN, run, Runtime())
    assert (position.best, position.best_step, position.waited) == (0.7, 12, 1)
    assert same(weights(module), caught[1])
    assert same(caught[2], weights(one)), "validation must not move the random numbers of training"


def test_it_ends_early_and_says_where(tmp_path):
    run = started(tmp_path / "run")
    plan = replace(PLAN, epochs=50, patience=2, validations=2)
    position = fit(task(network(), scores=[0.2, 0.6, 0.5, 0.6, 0.9]), plan, run, Runtime())
    assert (position.step, position.best_step) == (12, 6)
    validated = [line for line in run.progress() if "validation" in line]
    assert [line["step"] for line in validated] == [3, 6, 9, 12]
    assert [line["epoch"] for line in validated] == [0.5, 1, 1.5, 2]


def test_a_loss_that_is_not_a_number_is_a_sentence(tmp_path):
    broken = replace(task(network()), loss=lambda batch: torch.tensor(float("nan"), requires_grad=True))
    with pytest.raises(CoreError, match=r"loss of step 1 is not a number.*lower learning rate"):
        fit(broken, PLAN, started(tmp_path / "run"), Runtime())


def test_a_checkpoint_of_another_network_is_a_sentence(tmp_path):
    run = started(tmp_path / "run")
    fit(task(network()), PLAN, run, Runtime())
    other = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 1))
    with pytest.raises(DataSourceError, match="another model"):
        fit(task(other), PLAN, run, Runtime())


def test_the_papers_run_keeps_its_warm_up():
    # 15,492 pairs in batches of 32, three times.
    rates = Schedule(3e-5, steps=1455, warmup=1000)
    assert rates.warmup == 1000
    assert rates.rate(0) == pytest.approx(3e-8)
    assert rates.rate(499) == pytest.approx(1.5e-5)
    assert rates.rate(999) == rates.rate(1000) == 3e-5
    assert rates.rate(1454) == pytest.approx(3e-6)


def test_the_mean_of_the_last_weights_is_the_result_also_when_taken_up_again(tmp_path):
    plan = replace(PLAN, average=0.5)
    module, seen = network(), []
    watched = task(module)

    def loss(batch):
        seen.append(weights(module))
        return watched.loss(batch)

    fit(replace(watched, loss=loss), PLAN, started(tmp_path / "plain"), Runtime())
    seen.append(weights(module))
    averaged, stopping = network(), Runtime()
    run = started(tmp_path / "run")
    with pytest.raises(Cancelled):
        fit(task(averaged, after=13, stop=stopping), plan, run, stopping)
    run.start()
    averaged = network()
    fit(task(averaged), plan, run, Runtime())
    for name, value in averaged.named_parameters():
        mean = torch.stack([step[name] for step in seen[-9:]]).mean(dim=0)
        torch.testing.assert_close(value.detach(), mean, rtol=1e-4, atol=1e-6)
