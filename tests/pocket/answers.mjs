// Runs answers.py in the Python that phones run, with the Companion that they load.
//
// node answers.mjs <folder of pyodide> <folder of the build> <folder of answers.py> <folder of questions.json>

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, build, tests, questions] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: `${build}/python.zip` });
python.unpackArchive(new Uint8Array(readFileSync(`${build}/companion.zip`)), "zip", { extractDir: "/companion" });
for (const [place, root] of Object.entries({ "/tests": tests, "/questions": questions })) {
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
console.log(
  python.runPython(`
import json, sys
from pathlib import Path
sys.path[:0] = ["/companion", "/tests"]
from answers import answers
json.dumps(answers(json.loads(Path("/questions/questions.json").read_text("utf-8"))))
`),
);
