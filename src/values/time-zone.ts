/** The time zones of countries. */
import { tzOffset } from '@date-fns/tz';

const MINUTE_MS = 60_000;

/** The zone of a country: its only one, else that of its capital; UTC for a country without any. @param country ISO 3166-1 alpha-2. */
export function timeZoneOf(country: string): string {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { timeZones?: string[]; getTimeZones?(): string[] };
  // Newer versions of Node have the function instead of the property.
  const zones = locale.timeZones ?? locale.getTimeZones?.() ?? [];
  return OF_CAPITALS[country] ?? zones[0] ?? 'UTC';
}

/** Whether the name is one of the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The instant at which the clocks of a zone show what those in UTC show at `shown`. Of two such instants, when clocks are set back, it is the
 * first; what clocks skip is counted as if they were set later.
 */
export function instantIn(zone: string, shown: Date): Date {
  const offsets = [-1, 1].map((days) => tzOffset(zone, new Date(shown.getTime() + days * 24 * 60 * MINUTE_MS)));
  const instants = offsets.map((minutes) => new Date(shown.getTime() - minutes * MINUTE_MS));
  const [before = shown] = instants;
  return (
    instants.find((instant) => instant.getTime() + tzOffset(zone, instant) * MINUTE_MS === shown.getTime()) ?? before
  );
}

// Of the countries with several zones in the IANA database (zone.tab).
const OF_CAPITALS: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
};
