/** `pda identifiers`: shows which shops contributed to a product, and detaches identifiers from it. */
import type { Command } from 'commander';
import { type DetachReport, type DetachRequest, detachIdentifier } from '../import/detach-identifier.ts';
import { allowIdentifier } from '../import/detachment.ts';
import { inWords, readIdentifierName } from '../import/identifier-name.ts';
import { describeIdentifiers, type ProductReport } from '../import/identifier-report.ts';
import { listDisputes } from '../import/open-disputes.ts';
import { counted } from '../values/counted.ts';
import { runCommand, runReading } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

interface DetachOptions extends Pick<DetachRequest, 'merchant' | 'to'> {
  dryRun?: boolean;
  json?: boolean;
}

export function addIdentifiers(identifiers: Command): void {
  examples(identifiers, 'pda identifiers list 4006381333931');

  const list = identifiers
    .command('list <product>')
    .description(
      'Show the identifiers and fields of a product (GTIN, ASIN, slug or id) and the shops that contributed them.',
    )
    .option('--json', 'print {"product","identifiers","fields","detached","unrecordedOffers"}')
    .action((product: string, { json }: { json?: boolean }) =>
      runReading(async (database) => {
        const report = await describeIdentifiers(database, product);
        say(json, report, describe(report));
      }),
    );
  examples(list, 'pda identifiers list B0DEMO0001', 'pda identifiers list a-products-slug --json');

  const disputes = identifiers
    .command('disputes')
    .description("Show the newest thousand shops' claims that contradict the catalogue.")
    .option('--json', 'print a list of {"asin","asinProduct","gtin","gtinProduct","merchant","statedAt"}')
    .action(({ json }: { json?: boolean }) =>
      runReading(async (database) => {
        const open = await listDisputes(database);
        const rows = open.map(({ asin, asinProduct, gtin, gtinProduct, merchant, statedAt }) =>
          [asin, asinProduct, gtin, gtinProduct, merchant, statedAt.toISOString()].map((cell = '') => cell),
        );
        say(json, open, tableOf(['asin', 'leads to', 'gtin', 'leads to', 'shop', 'stated'], rows));
      }),
    );
  examples(disputes, 'pda identifiers disputes --json');

  const detach = identifiers
    .command('detach <identifier>')
    .description(
      'Permanently detach a GTIN or ASIN from its product, and move the offers that only it had placed there.',
    )
    .option('--merchant <shop>', "void only this shop's claim")
    .option('--to <product>', 'attach it to this other product (GTIN, ASIN, slug or id)')
    .option('--dry-run', 'report the result without changing anything')
    .option('--json', 'print {"kind","value","from","merchant","isTakenOff","to","detachedAt","offers"}')
    .action((text: string, { dryRun: isDryRun = false, json, ...where }: DetachOptions) =>
      runCommand(
        async (database) => {
          const identifier = readIdentifierName(text);
          const report = await detachIdentifier(database, { identifier, ...where, isDryRun });
          const mode = isDryRun ? 'Dry run, nothing was changed. Without --dry-run: ' : '';
          say(json, report, `${mode}${describeDetached(report)}`);
        },
        { isReading: isDryRun },
      ),
    );
  examples(
    detach,
    'pda identifiers detach B0DEMO0001 --dry-run',
    'pda identifiers detach B0DEMO0001 --to 4006381333931',
    'pda identifiers detach 4006381333931 --merchant "A Shop"',
  );

  const allow = identifiers
    .command('allow <identifier>')
    .description('Forget the detachments of a GTIN or ASIN, so that the next imports decide again where it belongs.')
    .option('--merchant <shop>', 'only allow this shop to claim it again')
    .option('--json', 'print {"forgotten"}')
    .action((text: string, { merchant, json }: { merchant?: string; json?: boolean }) =>
      runCommand(async (database) => {
        const identifier = readIdentifierName(text);
        const forgotten = await allowIdentifier(database, identifier, merchant);
        const toMove = `To move it now, use \`pda identifiers detach ${text} --to PRODUCT\`.`;
        say(
          json,
          { forgotten },
          `Imports decide again where ${inWords(identifier)} belongs. Nothing was moved. ${toMove}\n`,
        );
      }),
    );
  examples(allow, 'pda identifiers allow B0DEMO0001');
}

const NOT_RECORDED = 'not recorded';

function describe({ product, identifiers, fields, detached, unrecordedOffers }: ProductReport): string {
  const parts = [
    `${product.name} (${product.slug}, ${product.id})\n`,
    tableOf(
      ['kind', 'value', 'from', 'since', 'stated by', 'disputed by'],
      identifiers.map(({ kind, value, merchant, claimedAt, statedBy, disputedBy }) => [
        kind,
        value,
        merchant ?? (claimedAt ? 'an operator' : NOT_RECORDED),
        claimedAt?.toISOString() ?? '',
        statedBy.join(', '),
        disputedBy.map((dispute) => `${dispute.merchant} (for ${dispute.product})`).join(', '),
      ]),
    ),
    tableOf(
      ['field', 'from', 'since'],
      fields.map(({ field, merchant, filledAt }) => [field, merchant ?? NOT_RECORDED, filledAt?.toISOString() ?? '']),
    ),
  ];
  if (detached.length > 0) {
    const rows = detached.map(({ kind, value, merchant, detachedAt }) => [
      kind,
      value,
      merchant === undefined ? 'from this product' : `claim of ${merchant} void`,
      detachedAt.toISOString(),
    ]);
    parts.push(tableOf(['detached', 'value', 'what', 'since'], rows));
  }
  if (unrecordedOffers > 0) {
    parts.push(
      `${counted(unrecordedOffers, 'offer')} without a record of contributions. The next imports of their shops add it.\n`,
    );
  }
  return parts.join('\n');
}

function describeDetached({ kind, value, from, merchant, isTakenOff, to, detachedAt, offers }: DetachReport): string {
  const name = `${kind.toUpperCase()} ${value}`;
  const place = to === undefined ? 'no product has it now' : `${to} has it now`;
  if (detachedAt) {
    return `Nothing was changed: the ${name} was already detached from ${from} on ${detachedAt.toISOString()}, and ${place}. To move it, use \`pda identifiers detach ${value} --to PRODUCT\`.\n`;
  }
  const lines = merchant === undefined ? [] : [`The claim of ${merchant} to the ${name} is void.`];
  if (isTakenOff) lines.push(`The ${name} was detached from ${from}; ${place}.`);
  else if (from !== undefined) lines.push(`${from} keeps the ${name}, because other shops claim it too.`);
  const withdrawn = '(withdrawn: too many offers of the shop)';
  const moved = offers.map((offer) => [offer.id, offer.merchant, offer.to ?? withdrawn]);
  return `${lines.join(' ')}\n${moved.length === 0 ? 'No offer was moved.\n' : tableOf(['offer', 'shop', 'moved to'], moved)}`;
}
