"""The training loop: any module, any batches; it can be watched, stopped, killed and taken up again."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from core import files, limits
from core.errors import Cancelled, CoreError, InputError
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.runs import checkpoint
from research.runs.checkpoint import RESUME, Position
from research.runs.run_folder import RunFolder

if TYPE_CHECKING:
    import torch

B = TypeVar("B")
BEST: Final = "best.safetensors"
LINES: Final = 500  # lines about the loss that a run writes at most, beside one every `QUIET_SECONDS`
QUIET_SECONDS: Final = 10.0
LAST_SHARE: Final = 0.1  # of the highest rate at the last step; the paper states a decay, not its constant
LONGEST_WARMUP: Final = 0.7  # share of a run that warm-up may take; the paper's own took 1,000 of 1,450 steps
SHORT_WARMUP: Final = 0.1  # share that warm-up takes where `LONGEST_WARMUP` would be passed
ADAGRAD_START: Final = 0.1  # first value of Adagrad's sums of squares (See et al. 2017, section 5)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTask(Generic[B]):
    module: "torch.nn.Module"
    batches: Callable[[int], Sequence[B]]  # of an epoch, by its number from 0; as many in every epoch
    loss: "Callable[[B], torch.Tensor]"  # mean loss of a batch, a scalar; called in training mode
    validate: Callable[[], Mapping[str, float | None]]  # in evaluation mode; empty without a validation part
    best_by: str = "f1"
    lower_is_better: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    epochs: int
    learning_rate: float
    warmup_steps: int = 1000
    patience: int = 0  # validations without a better one after which training ends early; 0 for never
    validations: int = 1  # validations an epoch, evenly spaced; the last is at its end
    half: bool = False  # compute in bfloat16 where PyTorch's autocast does; weights stay in float32
    optimizer: str = "adam"  # "adam" or "adagrad"
    clip: float = 0.0
    constant: bool = False  # keep the highest rate after warm-up instead of lowering it
    average: float = 0.0  # share of the last steps whose mean weights are the result; 0 for none


class Schedule:
    """Learning rates (HLGD, appendix B); warm-up is shortened where it would leave too little of the run."""

    def __init__(self, highest: float, *, steps: int, warmup: int, constant: bool = False) -> None:
        self.highest, self.steps, self.constant = highest, steps, constant
        self.warmup = warmup if warmup <= LONGEST_WARMUP * steps else int(SHORT_WARMUP * steps)

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0; never 0, so that every step learns."""
        if step < self.warmup:
            return self.highest * (step + 1) / self.warmup
        if self.constant:
            return self.highest
        done = (step - self.warmup) / max(self.steps - 1 - self.warmup, 1)
        return self.highest * float(LAST_SHARE**done)


def fit(task: TrainingTask[Any], plan: Plan, run: RunFolder, runtime: Runtime) -> Position:
    """Trains the module in place, from the run's checkpoint where there is one.

    With the same module, plan, seed and number of threads, a run that was stopped or killed and taken up
    again ends with the same weights: the ones with the best validation measure, the last ones where nothing
    was validated, or the mean of the last ones where the plan says so (Izmailov et al. 2018). Cancelled where
    somebody asked to stop, InputError where there is nothing to train on, CoreError where it diverges.
    """
    import torch

    each = len(task.batches(0))
    if not each:
        raise InputError("There is nothing to train on.", hint="Give data with a training part.")
    steps, warmup = plan.epochs * each, plan.warmup_steps
    rates = Schedule(plan.learning_rate, steps=steps, warmup=warmup, constant=plan.constant)
    trained = [value for value in task.module.parameters() if value.requires_grad]
    planned = {"steps": rates.steps, "warmup": rates.warmup, "warmup_asked": plan.warmup_steps}
    how = {"best_by": task.best_by, "lower_is_better": task.lower_is_better}
    run.record(trained_weights=sum(value.numel() for value in trained), **planned, **how)
    optimizer: torch.optim.Optimizer = torch.optim.Adam(trained)
    if plan.optimizer == "adagrad":
        optimizer = torch.optim.Adagrad(trained, initial_accumulator_value=ADAGRAD_START)
    position = checkpoint.load_checkpoint(run.checkpoint, task.module, optimizer)
    if position is None:
        torch.manual_seed(runtime.seed)
        position = Position()
    run.forget_progress_after(position.step)
    position = _Walk(task, plan, run, runtime, rates, optimizer, each).to_the_end(position)
    last, seconds = position.best_step or position.step, round(position.seconds)
    run.record(steps_done=position.step, best_step=last, seconds=seconds)
    if plan.average and all("average" in optimizer.state[value] for value in trained):
        with torch.no_grad():
            for value in trained:
                value.copy_(optimizer.state[value]["average"])
    elif position.best_step not in (0, position.step):
        checkpoint.restore(task.module, checkpoint.read_tensors(run.checkpoint / BEST), run.checkpoint)
    return position


@dataclass(slots=True, eq=False)
class _Walk:
    task: TrainingTask[Any]
    plan: Plan
    run: RunFolder
    runtime: Runtime
    rates: Schedule
    optimizer: "torch.optim.Optimizer"
    each: int
    losses: list[float] = field(default_factory=list)
    reported: float = field(default_factory=time.monotonic)

    def to_the_end(self, position: Position) -> Position:
        batches: Sequence[Any] = ()
        epoch, count = -1, min(max(self.plan.validations, 1), self.each)
        validated = {self.each * part // count % self.each for part in range(1, count + 1)}
        saved, began, before = time.monotonic(), time.monotonic(), position.seconds
        while not position.ended:
            if position.step // self.each != epoch:
                epoch = position.step // self.each
                batches = self.task.batches(epoch)
            self.losses.append(self._step(batches[position.step % self.each], position.step))
            step = position.step + 1
            position = replace(position, step=step, seconds=before + time.monotonic() - began)
            ended = step == self.rates.steps
            due = step % max(self.rates.steps // LINES, 1) == 0
            if due or ended or time.monotonic() - self.reported > QUIET_SECONDS:
                self._report(position)
            if ended or step % self.each in validated:
                position = self._validate(position)
            position = replace(position, ended=position.ended or ended)
            asked = self.run.stop_requested or self.runtime.stop.is_set()
            if asked or position.ended or time.monotonic() - saved > limits.CHECKPOINT_SECONDS.value:
                checkpoint.save_checkpoint(self.run.checkpoint, position, self.task.module, self.optimizer)
                saved = time.monotonic()
            if asked and not position.ended:
                raise Cancelled("Training")
        return position

    def _step(self, batch: Any, step: int) -> float:
        import torch

        self.task.module.train()
        rate = self.rates.rate(step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.runtime.device, dtype=torch.bfloat16, enabled=self.plan.half):
            loss = self.task.loss(batch)
        value = float(loss.detach())
        if not math.isfinite(value):
            said = f"The loss of step {step + 1:,} is not a number: training has diverged."
            raise CoreError(said, hint="Start again with a lower learning rate.")
        loss.backward()  # type: ignore[no-untyped-call]
        if self.plan.clip:
            torch.nn.utils.clip_grad_norm_(self.task.module.parameters(), self.plan.clip)
        self.optimizer.step()
        count = step + 1 - round((1.0 - self.plan.average) * self.rates.steps)
        if count > 0:
            self._average(count)
        return value

    def _average(self, count: int) -> None:
        """Takes the weights into their mean, as one of so many; it stands in the optimizer's checkpoint."""
        for group in self.optimizer.param_groups:
            for value in group["params"]:
                state, now = self.optimizer.state[value], value.detach()
                mean = state.get("average")
                state["average"] = now.clone() if mean is None else mean + (now - mean) / count

    def _validate(self, position: Position) -> Position:
        import torch

        self.task.module.eval()
        # Validation must not move the random numbers that training draws next.
        with (
            torch.random.fork_rng(),
            torch.no_grad(),
            torch.autocast(self.runtime.device, dtype=torch.bfloat16, enabled=self.plan.half),
        ):
            measured = dict(self.task.validate())
        if not measured:
            return position
        epoch = round(position.step / self.each, 3)
        self.run.report({"step": position.step, "epoch": epoch, "validation": measured})
        value, best = measured.get(self.task.best_by), position.best
        sign = -1 if self.task.lower_is_better else 1
        if value is None or (best is not None and not sign * value > sign * best):
            waited = position.waited + 1
            return replace(position, waited=waited, ended=0 < self.plan.patience <= waited)
        files.make_folder(self.run.checkpoint, hint=RESUME)
        write_tensors(self.run.checkpoint / BEST, checkpoint.learned(self.task.module), hint=RESUME)
        return replace(position, best=value, best_step=position.step, waited=0)

    def _report(self, position: Position) -> None:
        step, steps, seconds = position.step, self.rates.steps, position.seconds
        loss, rate = round(sum(self.losses) / len(self.losses), 6), self.rates.rate(step - 1)
        line = {"step": step, "steps": steps, "epoch": round(step / self.each, 3), "loss": loss}
        line |= {"learning_rate": rate, "seconds": round(seconds, 1)}
        self.run.report({**line, "seconds_left": round(seconds / step * (steps - step), 1)})
        self.losses.clear()
        self.reported = time.monotonic()
        self.runtime.report("Training", step, steps)
