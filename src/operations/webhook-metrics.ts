/** Metrics of the delivery of webhooks. The queue is shared by all gateways, so do not sum its figures. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const RESULTS = ['delivered', 'failed', 'given_up'] as const;

export function openWebhookMetrics(registry: Registry) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'pda_webhook_attempts_total',
    help: 'Attempts to deliver a message, by result: delivered, failed (it is retried) or given_up (it was the last one).',
    labelNames: ['result'],
    registers,
  });
  for (const result of RESULTS) attempts.inc({ result }, 0); // So that the first one shows as an increase.
  const seconds = new Histogram({
    name: 'pda_webhook_attempt_seconds',
    help: 'Duration of attempts to deliver a message in seconds: the time that receivers take.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const queue = (name: string, help: string) => new Gauge({ name, help, registers, aggregator: 'max' });
  const due = queue('pda_webhook_due', 'Messages that are due and that no gateway is sending, at most 10000.');
  const oldest = queue(
    'pda_webhook_oldest_due_seconds',
    'How long the oldest of these messages has been due, in seconds.',
  );

  return {
    unmatched: queue('pda_webhook_unmatched_changes', 'Changes of the catalogue that are not matched to webhooks yet.'),
    disabled: new Counter({
      name: 'pda_webhooks_disabled_total',
      help: 'Webhooks disabled by the service, because of their receivers or of too many waiting messages.',
      registers,
    }),
    note(result: (typeof RESULTS)[number], took: number) {
      attempts.inc({ result });
      seconds.observe(took);
    },
    showQueue(state: { due: number; oldestSeconds: number }) {
      due.set(state.due);
      oldest.set(state.oldestSeconds);
    },
  };
}
