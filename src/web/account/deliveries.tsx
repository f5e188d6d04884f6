/** `/account/webhooks/{id}`: the messages to a webhook, newest first. */
import type { Page } from '../../catalogue/page.ts';
import { encodeId } from '../../values/id.ts';
import { type DeliveryState, stateOf } from '../../webhooks/delivery-state.ts';
import type { Delivery, WebhookRow } from '../../webhooks/webhooks.ts';
import { Moment } from '../console/moment.tsx';
import { NextPage } from '../console/next-page.tsx';
import { ScrollTable } from '../layout.tsx';
import { ACCOUNT_PATH, type AccountPage, deliveriesPath } from './frame.tsx';

const STATES: Readonly<Record<DeliveryState, readonly [words: string, look: string]>> = {
  waiting: ['Waiting', 'warn'],
  delivered: ['Delivered', 'good'],
  given_up: ['Given up', 'bad'],
};

export const deliveriesPage = (webhook: WebhookRow, { edges, pageInfo }: Page<Delivery>): AccountPage => ({
  title: 'Deliveries',
  content: (
    <>
      <p>
        Messages of the last 30 days to <bdi class="account-url">{webhook.url}</bdi>, newest first.
      </p>
      {edges.length === 0 ? (
        <p class="notice">No messages yet.</p>
      ) : (
        <ScrollTable
          label="Deliveries"
          look="records"
          columns={['Created (UTC)', 'Message', 'State', 'Attempts', 'Result']}
        >
          {edges.map(({ node }) => {
            const [words, look] = STATES[stateOf(node)];
            return (
              <tr key={String(node.id)}>
                <td data-label="Created (UTC)">
                  <Moment at={node.createdAt} />
                </td>
                <td data-label="Message">{node.kind}</td>
                <td data-label="State">
                  <span class={`badge ${look}`}>{words}</span>
                </td>
                <td data-label="Attempts">{node.attempts}</td>
                <td data-label="Result">
                  {[node.lastStatus, node.lastError].filter((each) => each !== null).join(': ')}
                </td>
              </tr>
            );
          })}
        </ScrollTable>
      )}
      <NextPage
        path={deliveriesPath(encodeId('webhook', webhook.id))}
        cursor={pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined}
      />
      <p>
        <a href={ACCOUNT_PATH}>Back to your account</a>
      </p>
    </>
  ),
});
