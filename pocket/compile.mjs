// Runs a Python script in the phones' own Python, so that phones can read the compiled files.
//
// node compile.mjs <folder of pyodide> <folder of the build> <script>

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, build, script] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
// Where in its line each instruction stands is of no use in a phone, and takes room
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdir("/build");
python.FS.mount(python.FS.filesystems.NODEFS, { root: build }, "/build");
try {
  python.runPython(readFileSync(script, "utf-8"));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
