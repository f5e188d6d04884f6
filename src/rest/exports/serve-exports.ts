/** Serves the exports as streams of JSON lines (`application/x-ndjson`). */
import { Readable } from 'node:stream';
import { invalid } from '../../catalogue/arguments.ts';
import {
  type ExportContext,
  type ExportFilter,
  type ExportKind,
  type ExportPage,
  openExport,
  placeOfId,
} from '../../catalogue/exports/export.ts';
import type { FollowedVersion } from '../../catalogue/version.ts';
import type { Queryable } from '../../database/database.ts';
import { type Answer, type Exchange, goneOf } from '../../http/exchange.ts';
import type { ServerRoute } from '../../http/route-table.ts';
import type { Traffic } from '../../http/traffic.ts';
import { endpointOf } from '../../operations/endpoint.ts';
import type { Log } from '../../operations/log.ts';
import type { Metrics } from '../../operations/metrics.ts';
import { Problem } from '../../problem.ts';
import { parseParameters } from '../parameters.ts';
import { EXPORT_ROUTES, type ExportRoute, NDJSON } from './export-routes.ts';
import { type ExportSlots, openExportSlots } from './export-slots.ts';
import { startCursor } from './export-start.ts';
import { type Sent, writeExport } from './write-export.ts';

export interface ExportServices extends ExportContext {
  /** The primary, which has the newest position of the stream of changes. */
  database: Queryable;
  followed: Pick<FollowedVersion, 'catchUp'>;
  log: Log;
  metrics: Metrics;
}

// About one chunk of lines. More would only be kept in memory.
const BUFFER_BYTES = 65_536;

type Parameters = ExportFilter & { after?: string; cursor?: string };

/** What an export needs to know of its process. */
export interface ExportProcess {
  traffic: Traffic;
  /** True once the process has been told to stop. */
  isDraining(): boolean;
}

type Exporting = ExportServices & Pick<ExportProcess, 'traffic'>;

/** The entries of the server's route table for {@link EXPORT_ROUTES}. */
export function exportRoutes(services: ExportServices, { traffic, isDraining }: ExportProcess): ServerRoute[] {
  const exporting = { ...services, traffic, isBusy: traffic.isBusy };
  const slots = openExportSlots((count) => services.metrics.exports.set(count));
  return EXPORT_ROUTES.map((route) => ({
    path: route.path,
    endpoint: endpointOf('rest', route.path),
    access: 'metered',
    // The first request pays for the first lines. Nothing is opened before it is paid.
    price: 'by content',
    async handle(exchange) {
      await exchange.access.requireOwnKey();
      const { settled } = await exchange.access.admit(1);
      await settled;
      if (isDraining()) throw leaving();
      return serveExport(route, exchange, exporting, slots);
    },
  }));
}

async function serveExport(
  { kind, parameters }: ExportRoute,
  exchange: Exchange,
  services: Exporting,
  slots: ExportSlots,
): Promise<Answer> {
  const { method, access, search } = exchange;
  const {
    after,
    cursor: given,
    ...filter
  } = parseParameters(parameters, {}, new URLSearchParams(search)) as Parameters;
  const place = after === undefined ? undefined : placeOfId(kind, after);
  if (after !== undefined && !place) throw invalid('after', '`after` must be the id of the last line of this export.');
  if (after !== undefined && given === undefined) {
    throw invalid(
      'cursor',
      '`after` needs the cursor of the export that it resumes: send `Changes-Cursor` as `cursor`.',
    );
  }
  const cursor = await startCursor(services.database, services.followed, given);
  const answer: Answer = {
    status: 200,
    headers: {
      'Content-Type': NDJSON,
      'Cache-Control': 'private, no-store',
      Vary: 'x-api-key',
      'Changes-Cursor': cursor,
    },
    body: null,
    isWhole: true,
  };
  const pages = await openExport(kind, filter, services, place, goneOf(exchange));
  if (method === 'HEAD') return answer;
  const key = await access.recognise();
  if (!key) return access.refuse(); // It was admitted, so this is only for the compiler.
  const leave = slots.enter(key.id);
  answer.body = streamOf(kind, pages, exchange, cursor, after, services, leave);
  return answer;
}

function streamOf(
  kind: ExportKind,
  pages: AsyncIterable<ExportPage>,
  { id: requestId, access }: Exchange,
  cursor: string,
  after: string | undefined,
  { log, metrics, traffic }: Exporting,
  leave: () => void,
): Readable {
  const sent: Sent = { lines: 0, after };
  const text = writeExport({ pages, access, breathe: traffic.breathe, cursor, sent });
  const stream = Readable.from(text, { objectMode: false, highWaterMark: BUFFER_BYTES });
  stream.once('error', (err: NodeJS.ErrnoException) => {
    // The client of a compressed stream has left.
    if (err.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.warn({ requestId, err }, 'An export failed: its connection was cut');
  });
  stream.once('close', () => {
    leave();
    metrics.exportLines.inc({ kind }, sent.lines);
    const isComplete = stream.readableEnded;
    log.info({ requestId, export: kind, lines: sent.lines, cost: access.charged(), isComplete }, 'An export ended');
  });
  return stream;
}

const leaving = () =>
  new Problem('unavailable', 'This instance is stopping: try again, another one will answer.', {
    headers: { 'Retry-After': '1' },
  });
