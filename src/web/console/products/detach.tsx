/** `/console/products/{id}/detach`: previews the detachment of an identifier, and does it once it is confirmed. */
import type { ComponentChildren } from 'preact';
import { type DetachReport, type DetachRequest, detachIdentifier } from '../../../import/detach-identifier.ts';
import { DetachRefused } from '../../../import/identifier-binding.ts';
import { IdentifierMalformed, IdentifierNotFound, readIdentifierName } from '../../../import/identifier-name.ts';
import { describeIdentifiers, type ProductReport } from '../../../import/identifier-report.ts';
import { WriterBusy } from '../../../import/write-lock.ts';
import { Problem } from '../../../problem.ts';
import { excerpt } from '../../../values/printable.ts';
import type { Fields } from '../../forms/fields.ts';
import { Notice } from '../layout.tsx';
import type { ConsolePage, ConsoleRoute, FormVisit, Visit } from '../visit.ts';
import { Effect } from './detach-effect.tsx';
import { ConfirmForm, DetachForm } from './detach-forms.tsx';
import { idOf, PRODUCTS_PATH } from './paths.ts';
import { ProductLink } from './product-link.tsx';

export const detachRoute: ConsoleRoute = {
  path: `${PRODUCTS_PATH}/{id}/detach`,
  async show(visit) {
    const report = await describeIdentifiers(visit.services.database, idOf(visit).id);
    const identifier = ofProduct(report, visit.query.get('identifier'));
    return page(report, 'Detach an identifier', <Choose visit={visit} report={report} identifier={identifier} />);
  },
  async act(visit) {
    const { form, services, token } = visit;
    const { id, number } = idOf(visit);
    const report = await describeIdentifiers(services.database, id);
    try {
      const isConfirmed = form.get('step') === 'detach';
      const done = await detachIdentifier(services.database, {
        ...requestOf(visit),
        from: number,
        isDryRun: !isConfirmed,
        isPatient: false,
      });
      if (isConfirmed) {
        const after = await describeIdentifiers(services.database, id);
        return page(after, 'Detached', <Effect report={done} isDone />);
      }
      return page(
        report,
        'Detach an identifier',
        <>
          <Effect report={done} />
          {isEmpty(done) ? null : <ConfirmForm id={id} token={token} values={form} />}
        </>,
      );
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined) throw error;
      const identifier = report.identifiers.find(({ value }) => value === form.get('identifier'));
      const refusal = <Notice look="bad">{(error as Error).message}</Notice>;
      return {
        ...page(
          report,
          'Detach an identifier',
          <>
            {refusal}
            {identifier && <Choose visit={visit} report={report} identifier={identifier} values={form} />}
          </>,
        ),
        status,
      };
    }
  },
};

/** The status of a refusal; `undefined` for other errors. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof IdentifierMalformed) return 400;
  if (error instanceof IdentifierNotFound) return 404;
  if (error instanceof DetachRefused || error instanceof WriterBusy) return 409;
  return undefined;
}

/** An earlier detachment still stands, so there is nothing to confirm. */
const isEmpty = ({ detachedAt }: DetachReport): boolean => detachedAt !== undefined;

/** The same request as that of `pda identifiers detach`. */
function requestOf({ form, session }: FormVisit): DetachRequest {
  const text = (name: string) => form.get(name)?.trim() || undefined;
  return {
    identifier: readIdentifierName(text('identifier') ?? ''),
    merchant: text('merchant'),
    to: text('to'),
    actor: session.actor,
  };
}

type Reported = ProductReport['identifiers'][number];

/** @throws {Problem} `not_found` if the product does not have the identifier. */
function ofProduct({ identifiers }: ProductReport, value = ''): Reported {
  const found = identifiers.find((identifier) => identifier.value === value);
  if (found) return found;
  throw new Problem('not_found', `The product does not have the identifier ${excerpt(value)}: choose one on its page.`);
}

interface ChooseProps {
  visit: Visit;
  report: ProductReport;
  identifier: Reported;
  values?: Fields;
}

function Choose({ visit, report, identifier, values }: ChooseProps) {
  const { merchant, statedBy, disputedBy } = identifier;
  const claimants = [
    ...new Set([
      ...(merchant === undefined ? [] : [merchant]),
      ...statedBy,
      ...disputedBy.map((each) => each.merchant),
    ]),
  ];
  return (
    <DetachForm
      id={report.product.id}
      token={visit.token}
      identifier={identifier}
      claimants={claimants}
      values={values ?? new Map()}
    />
  );
}

const page = ({ product }: ProductReport, title: string, content: ComponentChildren): ConsolePage => ({
  title,
  section: PRODUCTS_PATH,
  styles: ['console-pages.css'],
  content: (
    <>
      <ProductLink id={product.id} name={product.name} />
      {content}
    </>
  ),
});
