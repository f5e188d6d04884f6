/**
 * A process's place in the embedded server. Whoever finds no server starts it; whoever leaves last stops it. Each process holds a shared
 * advisory lock while it uses the server, so the last one can have that lock alone.
 */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseEnded, EmbeddedUnusable, isUnavailable } from '../database.ts';
import { type Address, addressOf } from './address.ts';
import { type Cluster, createCluster, hasCluster } from './cluster.ts';
import { findPrograms, type Programs } from './programs.ts';
import { endOf, identityOf, type Launch, planLaunch, type Started, startServer, stopServer } from './server.ts';

const LOCK = 4_006_381_333_940;
const ENTER = `
  SELECT pg_try_advisory_lock_shared(${LOCK}) AS "isIn",
         current_setting('cluster_name') AS identity,
         current_setting('max_connections')::int AS "maxConnections"`;
const TAKE = `SELECT pg_try_advisory_lock(${LOCK}) AS "isAlone"`;
const LEAVE = `SELECT pg_advisory_unlock_shared(${LOCK})`;

const LOOK_EVERY_MS = 20;
// The processes of a killed server keep its memory for a moment, so the first start after it may fail.
const STARTS_WITHIN_MS = 10_000;
const ENTER_WITHIN_MS = 60_000;

interface PlaceOptions {
  /** The most connections of all processes that use the server. */
  maxConnections: number;
  /** Called when the server has ended by itself and cannot be started again. */
  onEnd?: ((error: DatabaseEnded) => void) | undefined;
}

export interface Place {
  /** The URL of the database, with its password. */
  url: string;
  /** Leaves the server, and stops it if nobody else uses it. */
  leave(): Promise<void>;
}

/**
 * Takes a place in the server, which is created and started if necessary, and started again if it ends by itself.
 * @throws {EmbeddedUnusable} if it cannot run here.
 * @throws {DatabaseEnded} if it cannot be started.
 */
export async function takePlace(cluster: Cluster, { maxConnections, onEnd }: PlaceOptions): Promise<Place> {
  const programs = findPrograms();
  if (!hasCluster(cluster)) await createCluster(cluster, programs);
  const launch = planLaunch(cluster, programs);
  const address = addressOf(cluster);
  let isLeaving = false;

  const enter = async (): Promise<pg.Client | undefined> => {
    const isWanted = () => !isLeaving;
    const client = await enterServer({ cluster, programs, launch, address, maxConnections, isWanted });
    client?.once('end', () => {
      if (!isLeaving) place = enterAgain();
    });
    return client;
  };
  const enterAgain = async (): Promise<pg.Client | undefined> => {
    try {
      return await enter();
    } catch (error) {
      onEnd?.(error instanceof DatabaseEnded ? error : endOf(cluster, String(error)));
      return undefined;
    }
  };
  let place = enter();
  await place.catch((error: unknown) => {
    address.close();
    throw error;
  });

  return {
    url: address.url,
    async leave() {
      isLeaving = true;
      const client = await place;
      if (client) await leaveServer(client, cluster);
      address.close();
    },
  };
}

interface Entry {
  cluster: Cluster;
  programs: Programs;
  launch: Launch;
  address: Address;
  maxConnections: number;
  /** Whether the place is still wanted. */
  isWanted(): boolean;
}

/** @returns the connection that holds the place; `undefined` once it is no longer wanted. */
async function enterServer(entry: Entry): Promise<pg.Client | undefined> {
  const { cluster, programs, launch, address, maxConnections } = entry;
  const identity = identityOf(programs);
  const since = performance.now();
  let startsUntil = Number.POSITIVE_INFINITY;
  let started: Started | undefined;
  while (entry.isWanted()) {
    const client = new pg.Client({
      connectionString: address.url,
      application_name: 'product-data-api: place',
      connectionTimeoutMillis: ENTER_WITHIN_MS,
    });
    client.on('error', () => {}); // The awaited call reports it, or `end` follows.
    try {
      await client.connect();
      const [found] = (await client.query<Found>(ENTER)).rows;
      if (found?.isIn) {
        const isFit = found.identity === identity && found.maxConnections >= maxConnections;
        // Another version's server, or one for fewer workers, is used until it is free.
        if (isFit || !(await isAlone(client))) return client;
        await stopServer(cluster);
      }
    } catch (error) {
      const waited = performance.now() - since;
      const isAbsent = /^(ENOENT|ECONNREFUSED)$/.test((error as NodeJS.ErrnoException).code ?? '');
      if (isAbsent && started?.hasEnded() !== false) {
        if (started && performance.now() > startsUntil) throw endOf(cluster, started.said());
        if (!hasCluster(cluster)) throw endOf(cluster, '');
        if (!started) startsUntil = performance.now() + STARTS_WITHIN_MS;
        started = startServer(cluster, programs, launch, maxConnections);
      } else if (!isUnavailable(error)) {
        if (started) await stopServer(cluster);
        throw hasWrongPassword(error) ? new EmbeddedUnusable(wrongPassword(cluster)) : error;
      }
      // It says that it starts, recovers or stops: however long that takes.
      else if ((error as NodeJS.ErrnoException).code !== '57P03' && waited > ENTER_WITHIN_MS) throw error;
    }
    await client.end().catch(() => {});
    await wait(LOOK_EVERY_MS);
  }
}

interface Found {
  isIn: boolean;
  identity: string;
  maxConnections: number;
}

// SQLSTATE 28P01, invalid_password.
const hasWrongPassword = (error: unknown) => (error as { code?: string }).code === '28P01';
const wrongPassword = ({ password, folder }: Cluster) =>
  `The password in ${password} is not that of the database: restore the folder ${folder} from a backup.`;

/** Takes the lock alone if nobody else has it. Newcomers then wait until the server has stopped. */
async function isAlone(client: pg.Client): Promise<boolean> {
  return (await client.query<{ isAlone: boolean }>(TAKE)).rows[0]?.isAlone ?? false;
}

async function leaveServer(client: pg.Client, cluster: Cluster): Promise<void> {
  try {
    await client.query(LEAVE);
    if (await isAlone(client)) await stopServer(cluster);
  } catch (error) {
    if (!isUnavailable(error)) throw error; // Otherwise it has ended already.
  } finally {
    await client.end().catch(() => {});
  }
}
