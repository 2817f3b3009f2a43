// Starts Companion as a phone does for the first time, and tells which modules that loads, and what dataclasses compile in them.
//
// node loaded.mjs <folder of pyodide> <folder with all files>

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const env = { PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: `${files}/python.zip`, env });
python.unpackArchive(new Uint8Array(readFileSync(`${files}/companion.zip`)), "zip", { extractDir: "/companion" });
console.log(
  python.runPython(`
import base64, dataclasses, json, marshal, sys
sys.path.insert(0, "/companion")
texts = {}
def compiled(text, *places):
    texts[text] = compile(text, "<string>", "exec", dont_inherit=True)
    exec(texts[text], *places)
dataclasses.exec = compiled
from companion.pocket import start
start("/companion", "")
json.dumps([sorted(sys.modules), base64.b64encode(marshal.dumps(texts)).decode()])
`),
);
