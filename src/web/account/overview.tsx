/** `/account` of a key holder who is signed in: plan, quota, usage by day, webhooks, and the form to rotate the key. */
import type { AccessKey } from '../../access/keys.ts';
import { planOf } from '../../access/plans.ts';
import { DEFAULT_GRACE_HOURS, MOST_A_DAY, MOST_WORKING } from '../../account/rotate.ts';
import type { Usage } from '../../account/usage.ts';
import { dayOf } from '../../values/day.ts';
import { dayFormat } from '../../values/day-format.ts';
import { encodeId } from '../../values/id.ts';
import type { WebhookRow } from '../../webhooks/webhooks.ts';
import { DayChart } from '../day-chart.tsx';
import { TokenField } from '../forms/token-field.tsx';
import { Facts, ScrollTable } from '../layout.tsx';
import { type AccountPage, deliveriesPath, GRACE_FIELD, ROTATE_PATH } from './frame.tsx';

/** How many days the chart shows. */
export const CHART_DAYS = 30;

interface Overview {
  owner: AccessKey;
  usage: Usage;
  webhooks: readonly WebhookRow[];
  /** The path of the page with more webhooks, if there are more. */
  more: string | undefined;
  /** Of the session's forms. */
  token: string;
}

export const overviewPage = ({ owner, usage, webhooks, more, token }: Overview): AccountPage => ({
  title: 'Your account',
  content: (
    <>
      <Facts look="figures account-figures" facts={factsOf(owner, usage)} />
      <h2 id="usage">Usage</h2>
      <DayChart
        title="Requests per day (UTC)"
        days={usage.days.map(({ date }) => date)}
        series={[{ name: 'Requests', look: 'first', figures: usage.days.map(({ requests }) => requests) }]}
        ifEmpty={`No requests in the last ${CHART_DAYS} days`}
      />
      <h2 id="webhooks">Webhooks</h2>
      <Webhooks webhooks={webhooks} />
      {more !== undefined && (
        <p>
          <a class="button quiet" href={more} rel="next">
            More webhooks
          </a>
        </p>
      )}
      <h2 id="rotate">Rotate your key</h2>
      {owner.isFormer ? (
        <p>
          A rotation has replaced the key of this session, which only shows its account: sign in with the newest one.
        </p>
      ) : (
        <Rotation token={token} />
      )}
    </>
  ),
});

function factsOf({ name, expiresAt }: AccessKey, { plan, quota, requestsPerMinute }: Usage): [string, string | null][] {
  const isUnlimited = quota.limit === 0;
  const whole = (number: number) => number.toLocaleString('en');
  return [
    ['Key', name],
    ['Plan', planOf(plan).name],
    ['Used this month', whole(quota.used)],
    ['Left this month', isUnlimited ? 'unlimited' : `${whole(quota.remaining)} of ${whole(quota.limit)}`],
    ['Resets', isUnlimited ? null : dayFormat(dayOf(quota.resetAt.getTime()))],
    ['Requests a minute', whole(requestsPerMinute)],
    ['Stops working', expiresAt && dayFormat(dayOf(expiresAt.getTime()))],
  ];
}

function Webhooks({ webhooks }: { webhooks: readonly WebhookRow[] }) {
  if (webhooks.length === 0) {
    return (
      <p>
        The key has no webhooks. <a href="/docs/webhooks">How to create one</a>
      </p>
    );
  }
  return (
    <ScrollTable label="Webhooks" look="records" columns={['URL', 'Messages', 'State', 'Deliveries']}>
      {webhooks.map(({ id, url, kinds, disabledAt, disabledReason, failingSince, verifyAttempts }) => (
        <tr key={String(id)}>
          <th scope="row" data-label="URL">
            <bdi class="account-url">{url}</bdi>
          </th>
          <td data-label="Messages">{kinds.join(', ')}</td>
          <td data-label="State">
            <span>
              <span
                class={`badge ${verifyAttempts !== null ? 'warn' : disabledAt ? 'bad' : failingSince ? 'warn' : 'good'}`}
              >
                {verifyAttempts !== null
                  ? 'Not confirmed'
                  : disabledAt
                    ? 'Disabled'
                    : failingSince
                      ? 'Failing'
                      : 'Enabled'}
              </span>{' '}
              {disabledReason !== null && <span class="small">{disabledReason}</span>}
            </span>
          </td>
          <td data-label="Deliveries">
            <a href={deliveriesPath(encodeId('webhook', id))}>
              Deliveries<span class="visually-hidden"> of {url}</span>
            </a>
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

const GRACES: readonly (readonly [hours: number, label: string])[] = [
  [0, 'ends now'],
  [1, 'still reads for an hour'],
  [DEFAULT_GRACE_HOURS, 'still reads for a day'],
  [168, 'still reads for a week'],
];

function Rotation({ token }: { token: string }) {
  return (
    <form class="card account-rotate" method="post" action={ROTATE_PATH}>
      <TokenField token={token} />
      <p>
        A rotation gives your key a new text, which is shown once. Plan, usage and webhooks stay. At most {MOST_A_DAY}{' '}
        texts in 24 hours, and {MOST_WORKING} that work at the same time.
      </p>
      <div class="field">
        <label for="grace">The present key</label>
        <select id="grace" name={GRACE_FIELD}>
          {GRACES.map(([hours, label]) => (
            <option key={hours} value={hours} selected={hours === DEFAULT_GRACE_HOURS}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <button class="button" type="submit">
        Rotate the key
      </button>
    </form>
  );
}
