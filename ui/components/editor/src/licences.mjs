// Prints the licence text of every package that goes into the bundle.
import {readFileSync, readdirSync} from "node:fs";
const {packages} = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, entry] of Object.entries(packages)) {
  if (!path || entry.dev || entry.optional) continue;
  const file = readdirSync(path).find(name => /^licen[cs]e/i.test(name));
  console.log(`${path.replace(/^.*node_modules\//, "")} ${entry.version} (${entry.license})\n`);
  console.log(file ? readFileSync(`${path}/${file}`, "utf8").trim() : "(no licence file)");
  console.log("\n" + "-".repeat(80) + "\n");
}
