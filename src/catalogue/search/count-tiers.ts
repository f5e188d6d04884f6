/** Counts the products that each way to match words finds, so that a list by relevance knows how to read its tiers. */
import type { KeepingQueryable, Statement } from '../keep.ts';
import { TAG } from '../tags.ts';

/** The products of each tier, without those of the tiers before it. */
export interface TierSizes {
  total: number;
  /** `undefined` if more products match than were to be counted. */
  ofTier: readonly number[] | undefined;
}

interface Found {
  /** For each tier, the products that it or a tier before it finds. */
  found: number[];
}

/** Counts the products of tiers, up to `most` in total. @param tiers as `tsquery`s, each wider than the one before; at least two. */
export async function countTiers(
  database: KeepingQueryable,
  tiers: readonly string[],
  most: number,
): Promise<TierSizes> {
  const { sql, parameters, options } = countOf(tiers, most);
  const [row] = await database.query<Found>(sql, parameters, options);
  return sizesOf(row, most);
}

/**
 * The same, and the `limit` products of the first tier with the highest rank, if they are easily found: one statement reads the words of the
 * matching products for both. They are `undefined` if the first tier has `few` products or fewer, if these are not among those of the highest
 * rank, if more products match than were to be counted, or if the count is cached.
 */
export async function countTiersWithBest(
  database: KeepingQueryable,
  tiers: readonly string[],
  most: number,
  few: number,
  limit: number,
): Promise<{ sizes: TierSizes; best: string[] | undefined }> {
  const count = countOf(tiers, most);
  if (database.kept?.(count)) return { sizes: await countTiers(database, tiers, most), best: undefined };
  const rows = database.query<Found & { best: string[] | null }>(
    withBest(tiers.length, most, few, limit),
    tiers,
    OPTIONS,
  );
  const counts = rows.then((all) => all.map(({ found }) => ({ found })));
  counts.catch(() => {}); // The list itself fails with this error.
  database.keep?.(count, counts);
  const [row] = await rows;
  return { sizes: sizesOf(row, most), best: row?.best?.length === limit ? row.best : undefined };
}

function sizesOf(row: Found | undefined, most: number): TierSizes {
  const found = row?.found ?? [];
  const total = found.at(-1) ?? 0;
  return {
    total,
    ofTier: total < most ? found.map((count, tier) => count - (found[tier - 1] ?? 0)) : undefined,
  };
}

// Whether the index is worth using depends on the words.
const OPTIONS = { name: 'matching_products', isPlannedAnew: true };

const countOf = (tiers: readonly string[], most: number): Statement => ({
  sql: `${matching(tiers.length, most)}
  SELECT found FROM counted`,
  parameters: tiers,
  options: { ...OPTIONS, dependsOn: [TAG.products] },
});

// By product_search_search_idx. All rows match the last tier.
const matching = (tiers: number, most: number) => `
  WITH matching AS MATERIALIZED (
    SELECT product_id,
           CASE ${numbersBelow(tiers - 1)
             .map((tier) => `WHEN search @@ $${tier + 1}::tsquery THEN ${tier} `)
             .join('')}ELSE ${tiers - 1} END AS tier
    FROM product_search
    WHERE search @@ $${tiers}::tsquery
    LIMIT ${most}
  ), counted AS MATERIALIZED (
    SELECT ARRAY[${numbersBelow(tiers).map((tier) => `count(*) FILTER (WHERE tier <= ${tier})`)}]::int[] AS found
    FROM matching
  )`;

// The products of the highest rank, among which the best matches of a frequent word are, unless all its products have a low rank.
const TOP = 30_000;

// By product_rank_idx only: `IS TRUE` keeps the ids a hashed set, instead of a join that would look up each.
const withBest = (tiers: number, most: number, few: number, limit: number) => `${matching(tiers, most)}
  SELECT found,
         CASE WHEN found[1] > ${few} AND found[${tiers}] < ${most} THEN ARRAY(
           SELECT top.id::text
           FROM (SELECT id, rank FROM product ORDER BY rank DESC, id DESC LIMIT ${TOP}) AS top
           WHERE (top.id IN (SELECT product_id FROM matching WHERE tier = 0)) IS TRUE
           ORDER BY top.rank DESC, top.id DESC
           LIMIT ${limit}
         ) END AS best
  FROM counted`;

const numbersBelow = (count: number) => Array.from({ length: count }, (_, n) => n);
