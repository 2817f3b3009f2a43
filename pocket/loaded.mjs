// Starts Companion as a phone does for the first time, and tells which modules that loads.
//
// node loaded.mjs <folder of pyodide> <folder with all files>

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: `${files}/python.zip` });
python.unpackArchive(new Uint8Array(readFileSync(`${files}/companion.zip`)), "zip", { extractDir: "/companion" });
console.log(
  python.runPython(`
import json, sys
sys.path.insert(0, "/companion")
from companion.pocket import start
start("/companion", "")
json.dumps(sorted(sys.modules))
`),
);
