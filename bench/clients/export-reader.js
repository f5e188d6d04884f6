// Reads an export again and again, and prints the lines, bytes and seconds of each as JSON. A process of its own: in that of the load
// generator it would delay the lookups that are measured.
const [url, key] = process.argv.slice(2);

async function readExport() {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } });
  let lines = 0;
  let bytes = 0;
  let last = Buffer.alloc(0);
  for await (const chunk of response.body) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    last = Buffer.from(chunk);
  }
  if (!last.includes('"end":true')) throw new Error('The export is incomplete.');
  return { rows: lines - 1, bytes, seconds: (performance.now() - startedAt) / 1_000 };
}

for (;;) console.log(JSON.stringify(await readExport()));
