// Runs answers.py in the Python that phones run, with the Companion that they load.
//
// node answers.mjs <folder of pyodide> <folder of the build> <folder of the tests>

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, build, tests] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: `${build}/python.zip` });
python.unpackArchive(new Uint8Array(readFileSync(`${build}/companion.zip`)), "zip", { extractDir: "/companion" });
python.FS.mkdir("/tests");
python.FS.mount(python.FS.filesystems.NODEFS, { root: tests }, "/tests");
console.log(
  python.runPython(`
import json, sys
from pathlib import Path
sys.path[:0] = ["/companion", "/tests/pocket"]
from answers import answers
json.dumps(answers(Path("/tests/engine")))
`),
);
