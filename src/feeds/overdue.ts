/** When a feed that is due has waited too long for a gateway: as in `deploy/prometheus/alerts.yaml`. */
export const OVERDUE_MINUTES = 10;

/** Feeds that were due before then are overdue. */
export const overdueBefore = (now = Date.now()): Date => new Date(now - OVERDUE_MINUTES * 60_000);
