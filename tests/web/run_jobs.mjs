// node run_jobs.mjs FOLDER: does the jobs on its input with the engine in a folder, and writes their results.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { run } from "./jobs.js";

const jobs = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(await run(`${pathToFileURL(process.argv[2]).href}/`, jobs)));
