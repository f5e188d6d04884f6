/** Records the examples of the description of the API: `npm run examples`, after a change of an answer or of the demo. */
import { writeFileSync } from 'node:fs';
import { readConfig } from '../src/config.ts';
import { importDemo } from '../src/demo/demo.ts';
import { startGateway } from '../src/gateway.ts';
import { dayOf } from '../src/values/day.ts';
import { askForExamples, momentOfExamples } from './examples.ts';
import { openTemporary } from './open-temporary.ts';

// The address in all links of the answers; the description puts the deployment's own in its place.
const PUBLIC_URL = 'http://127.0.0.1:4000';

const database = await openTemporary();
await importDemo(database, undefined, momentOfExamples());
const gateway = await startGateway(readConfig({ PORT: '0', PUBLIC_URL, LOG_LEVEL: 'error' }), database);
const examples = await askForExamples(gateway.address, database);
await gateway.stop();
writeFileSync(
  'src/rest/examples.json',
  `${JSON.stringify({ address: PUBLIC_URL, recordedOn: dayOf(Date.now()), ...examples }, null, 2)}\n`,
);
process.stdout.write(`Recorded ${Object.keys(examples.answers).length} answers\n`);
