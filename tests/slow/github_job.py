"""Runs steps of GitHub workflows as a runner does."""
import re
import subprocess

from pipeline_checks import TOP, WAYPOST, WORK, environment, read_yaml

EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Job:
    """A job on a GitHub runner: a clone like that of actions/checkout, and the output files."""

    def __init__(self, name, origin, depth):
        self.folder = WORK / f"{name}-workspace"
        depth = ["--depth", str(depth)] if depth else []
        subprocess.run(["git", "clone", "--quiet", *depth, f"file://{origin}", self.folder], check=True,
                       env=environment())
        self.files = {key: WORK / f"{name}-{key}" for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
        for file in self.files.values():
            file.write_text("")
        self.variables = {}  # those of the whole job

    def run(self, step, values, **variables):
        """Runs the script of a step as the runner does, with `values` for its expressions."""
        def filled(text):
            return EXPRESSION.sub(lambda match: values[match[1]], str(text))
        script = WORK / "step.sh"
        script.write_text(step["run"])
        # An expression in a script would let inputs inject commands.
        assert not EXPRESSION.search(step["run"]), "the script must not contain an expression"
        more = {key: filled(value) for key, value in step.get("env", {}).items()}
        fixed = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_WORKSPACE": str(self.folder),
                 "GITHUB_ACTION_PATH": str(TOP), "WAYPOST_BIN": str(WAYPOST), "RUNNER_TEMP": str(WORK)}
        fixed |= {key: str(file) for key, file in self.files.items()}
        return subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
                              cwd=self.folder / step.get("working-directory", "."),
                              env=environment(**fixed | self.variables | more | variables), capture_output=True, text=True)

    def act(self, **inputs):
        """Runs the steps of the action with some inputs, and returns the last run."""
        action = read_yaml(TOP / "action.yml")
        values = {f"inputs.{name}": given.get("default", "") for name, given in action["inputs"].items()}
        values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        values |= {"github.action_repository": "", "github.token": ""}
        for step in (step for step in action["runs"]["steps"] if "run" in step):
            run = self.run(step, values)
            if run.returncode:
                break
        return run

    def outputs(self):
        return dict(line.split("=", 1) for line in self.files["GITHUB_OUTPUT"].read_text().splitlines())
