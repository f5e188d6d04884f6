/** `pda webhooks`: shows and changes the webhooks of all keys. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KeyNotFound, type KeyRecord, listKeys } from '../access/key-admin.ts';
import type { Market } from '../catalogue/market.ts';
import type { Page } from '../catalogue/page.ts';
import { marketOf } from '../config.ts';
import type { Database } from '../database/database.ts';
import { decodeId, encodeId } from '../values/id.ts';
import { type DeliveryState, stateOf } from '../webhooks/delivery-state.ts';
import { KIND_NAMES, type WebhookKind } from '../webhooks/kinds.ts';
import {
  type AskedReplay,
  askedFilterOf,
  type Delivery,
  DOCS_OF_CONFIRMING,
  type Owner,
  openWebhooks,
  type WebhookRow,
  type Webhooks,
} from '../webhooks/webhooks.ts';
import { NothingFound, UsageError } from './exit.ts';
import { readMoment } from './moment.ts';
import { runCommand, runReading } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

interface JsonOption {
  json?: boolean;
}

interface CreateOptions extends JsonOption {
  key: string;
  url: string;
  kind: WebhookKind[];
  product?: string;
  category?: string;
  brand?: string;
  merchant?: string;
  minPercent?: number;
  below?: number;
  code?: string[];
}

interface ReplayOptions extends JsonOption {
  from?: string;
  delivery?: string[];
}

export function addWebhooks(webhooks: Command): void {
  examples(webhooks, 'pda webhooks list --key key_1');

  const list = webhooks
    .command('list')
    .description('List webhooks.')
    .option('--key <key>', 'only those of this key: its id or its name')
    .option('--json', 'print a list')
    .action(({ key, json }: JsonOption & { key?: string }) =>
      readingWebhooks(async ({ administration, market, database }) => {
        const owner = key === undefined ? undefined : await findOwner(database, key);
        const rows = await readAll((after) => administration.list(owner, { first: PAGE, after }));
        const shown = rows.map((row) => recordOf(row, market));
        const cells = shown.map(({ id, key: whose, kinds, url, disabledReason = 'enabled' }) => [
          id,
          whose,
          kinds.join(' '),
          url,
          disabledReason,
        ]);
        say(json, shown, tableOf(['id', 'key', 'kinds', 'url', 'state'], cells));
      }),
    );
  examples(list, 'pda webhooks list --json');

  /** Adds a command that shows a webhook, after it has changed something. */
  const addShowing = (
    name: string,
    description: string,
    work: (administration: Webhooks, id: string) => Promise<WebhookRow | undefined>,
    noteOf: (record: ReturnType<typeof recordOf>, id: string) => string = () => '',
    run = withWebhooks,
  ) => {
    const showing = webhooks
      .command(`${name} <id>`)
      .description(description)
      .option('--json', 'print an object')
      .action((id: string, { json }: JsonOption) =>
        run(async ({ administration, market }) => {
          const record = recordOf(found(await work(administration, id), id), market);
          sayRecord(json, record, noteOf(record, id));
        }),
      );
    examples(showing, `pda webhooks ${name} whk_1`);
  };

  addShowing(
    'show',
    'Show one webhook. Its secret is not shown.',
    (administration, id) => administration.find(undefined, id),
    undefined,
    readingWebhooks,
  );

  const create = webhooks
    .command('create')
    .description('Create a webhook for a key and print its secret. It is shown only once.')
    .requiredOption('--key <key>', 'owner: the id or the name of a key')
    .requiredOption('--url <url>', 'receiver of the messages')
    .addOption(new Option('--kind <kind...>', 'kinds of messages').choices(KIND_NAMES).makeOptionMandatory())
    .option('--product <product>', 'only this product: slug, id, GTIN or ASIN')
    .option('--category <category>', 'only products in this category: slug or id')
    .option('--brand <brand>', 'only products of this brand: slug or id')
    .option('--merchant <merchant>', 'only changes by this shop: slug or id')
    .option('--min-percent <percent>', 'for price_changed: the smallest change', readNumber)
    .option('--below <amount>', 'for price_below: the price to reach', readNumber)
    .option('--code <code...>', 'for product_found: GTINs and ASINs')
    .option('--json', 'print an object with its secret')
    .action(({ key, url, kind, json, product, category, brand, merchant, minPercent, below, code }: CreateOptions) =>
      withWebhooks(async ({ administration, market, database }) => {
        const owner = await findOwner(database, key);
        const filter = { product, category, brand, merchant, minPercent, below, codes: code };
        const row = await administration.create(owner, { url, kinds: kind, filter });
        const text = `${row.secret}\n\nThis is the secret of webhook ${encodeId('webhook', row.id)}. Store it now: it is shown only once.\n`;
        say(json, { ...recordOf(row, market), secret: row.secret }, text);
      }),
    );
  examples(create, 'pda webhooks create --key key_1 --url https://example.com/hooks --kind new_low --brand sonavia');

  const remove = webhooks
    .command('delete <id>')
    .description('Delete a webhook with its deliveries.')
    .option('--json', 'print {"id"}')
    .action((id: string, { json }: JsonOption) =>
      withWebhooks(async ({ administration }) => {
        const deleted = found(await administration.remove(undefined, id), id);
        say(json, { id: deleted }, `Deleted ${deleted}.\n`);
      }),
    );
  examples(remove, 'pda webhooks delete whk_1');

  addShowing(
    'enable',
    'Send messages again, also after the service has disabled the webhook. One whose address is not confirmed stays disabled, and its receiver is asked again.',
    (administration, id) => administration.update(undefined, id, { enabled: true }),
    ({ confirmed }, id) => (confirmed ? '' : stillUnconfirmed(id)),
  );
  addShowing(
    'disable',
    'Send no more messages. The owner sees that the operator did this, and can enable the webhook again.',
    (administration, id) => administration.update(undefined, id, { enabled: false }),
  );
  addShowing(
    'confirm',
    'Confirm the address of a webhook by hand, for a receiver that cannot answer `webhook.verify`.',
    (administration, id) => administration.confirm(id),
  );

  const deliveries = webhooks
    .command('deliveries <id>')
    .description('Show the newest hundred deliveries of a webhook.')
    .option('--json', 'print a list')
    .action((id: string, { json }: JsonOption) =>
      readingWebhooks(async ({ administration }) => {
        const { id: number } = found(await administration.find(undefined, id), id);
        const { edges } = await administration.deliveries(number, { first: PAGE });
        const shown = edges.map(({ node }) => deliveryOf(node));
        const cells = shown.map((each) => [
          each.id,
          each.kind,
          each.state,
          String(each.attempts),
          each.createdAt.toISOString(),
          each.lastError ?? '',
        ]);
        say(json, shown, tableOf(['id', 'kind', 'state', 'attempts', 'created', 'last error'], cells));
      }),
    );
  examples(deliveries, 'pda webhooks deliveries whk_1');

  const test = webhooks
    .command('test <id>')
    .description('Queue a test message, which a running server sends within seconds.')
    .option('--json', 'print an object')
    .action((id: string, { json }: JsonOption) =>
      withWebhooks(async ({ administration }) => {
        const sent = deliveryOf(found(await administration.test(undefined, id), id));
        say(json, sent, `Queued ${sent.id}: \`pda webhooks deliveries ${id}\` shows its result.\n`);
      }),
    );
  examples(test, 'pda webhooks test whk_1');

  const replay = webhooks
    .command('replay <id>')
    .description('Queue past deliveries again, with the same message ids: all from a time on, or some.')
    .addOption(
      new Option('--from <time>', 'those made from this time on, such as 2030-01-31T08:00:00Z').conflicts('delivery'),
    )
    .option('--delivery <id...>', 'those with these ids (`pda webhooks deliveries`)')
    .option('--json', 'print {"count"}')
    .action((id: string, { from, delivery: deliveries, json }: ReplayOptions) =>
      withWebhooks(async ({ administration }) => {
        let count = 0;
        let asked: AskedReplay = { from: from === undefined ? undefined : readMoment(from), deliveries };
        for (let hasMore = true; hasMore; ) {
          const replayed = found(await administration.replay(undefined, id, asked), id);
          count += replayed.count;
          const { nextFrom, remaining } = replayed;
          hasMore = (nextFrom ?? remaining) !== null;
          asked = { from: nextFrom, deliveries: remaining?.map((each) => encodeId('delivery', each)) };
        }
        say(json, { count }, count === 0 ? 'No delivery was found that has ended.\n' : `Queued ${count} again.\n`);
      }),
    );
  examples(replay, 'pda webhooks replay whk_1 --from 2030-01-31T08:00:00Z');
}

/** The largest page. */
const PAGE = 100;

interface Administered {
  administration: Webhooks;
  market: Market;
  database: Database;
}

/** Runs a command with the administration of webhooks. @param run how; as one that changes something by default. */
function withWebhooks(work: (administered: Administered) => Promise<void>, run = runCommand): Promise<void> {
  return run((database, config) => {
    const market = marketOf(config);
    const rules = { isPrivateAllowed: config.arePrivateWebhooksAllowed, tellsReason: true };
    return work({ administration: openWebhooks(database, market, rules), market, database });
  });
}

/** Runs such a command that changes nothing. */
const readingWebhooks = (work: (administered: Administered) => Promise<void>) => withWebhooks(work, runReading);

/** Reads a list to its end. */
async function readAll<Row>(read: (after: string | null) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Page<Row> = await read(after);
    rows.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return rows;
    after = pageInfo.endCursor;
  }
}

/** The key with an id or a name. @throws {KeyNotFound} @throws {UsageError} if several keys have the name. */
async function findOwner(database: Database, named: string): Promise<Owner> {
  const keys: KeyRecord[] = await listKeys(database);
  const matching = keys.filter(({ id, name }) => id === named || name === named);
  const [key, other] = matching;
  if (!key) throw new KeyNotFound(named);
  if (other) throw new UsageError(`${matching.length} keys have the name ${named}: use an id (\`pda keys list\`).`);
  return { id: decodeId('key', key.id) ?? 0n, plan: key.plan };
}

function found<Value>(value: Value | undefined, id: string): Value {
  if (value === undefined)
    throw new NothingFound(`No webhook has the id ${id}: \`pda webhooks list\` shows all webhooks.`);
  return value;
}

/** A webhook as commands show it. */
function recordOf(row: WebhookRow, market: Market) {
  const filter = Object.entries(askedFilterOf(row, market)).filter(([, value]) => value != null);
  return {
    id: encodeId('webhook', row.id),
    key: encodeId('key', row.keyId),
    url: row.url,
    kinds: row.kinds,
    filter: Object.fromEntries(filter),
    enabled: row.disabledAt === null,
    confirmed: row.verifyAttempts === null,
    ...(row.disabledAt && { disabledAt: row.disabledAt }),
    ...(row.disabledReason !== null && { disabledReason: row.disabledReason }),
    ...(row.failingSince && { failingSince: row.failingSince }),
    createdAt: row.createdAt,
  };
}

/** A delivery as commands show it. */
function deliveryOf(row: Delivery) {
  const state: DeliveryState = stateOf(row);
  return {
    id: encodeId('delivery', row.id),
    messageId: row.messageId,
    kind: row.kind,
    state,
    attempts: row.attempts,
    ...(row.lastStatus !== null && { lastStatus: row.lastStatus }),
    ...(row.lastError !== null && { lastError: row.lastError }),
    ...(state === 'waiting' && { nextAttemptAt: row.nextAttemptAt }),
    createdAt: row.createdAt,
    ...(row.deliveredAt && { deliveredAt: row.deliveredAt }),
  };
}

function sayRecord(json: boolean | undefined, record: ReturnType<typeof recordOf>, note = ''): void {
  const rows = Object.entries(record).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  say(json, record, tableOf([], rows) + note);
}

const stillUnconfirmed = (id: string) =>
  `\nIt is not enabled yet: a running server asks its receiver again to confirm the address, and enables it then. See
${DOCS_OF_CONFIRMING}, or confirm it by hand: \`pda webhooks confirm ${id}\`.\n`;

function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new InvalidArgumentError('It must be a number.');
  return number;
}
