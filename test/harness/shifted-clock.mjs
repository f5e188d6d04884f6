// Loaded before a program by `node --import`: its clock is as many milliseconds ahead as the file that CLOCK_FILE names says, and
// follows what is written there. What measures how long something takes is left alone, as a real clock that is set leaves it.
import { readFileSync, statSync } from 'node:fs';

const file = process.env.CLOCK_FILE;
const RealDate = Date;
const LOOK_EVERY_MS = 20;
let ahead = 0;
let lookedAt = 0;
let writtenAt = 0;

function now() {
  const real = RealDate.now();
  if (Math.abs(real - lookedAt) >= LOOK_EVERY_MS) {
    lookedAt = real;
    const { mtimeMs } = statSync(file);
    if (mtimeMs !== writtenAt) {
      ahead = Number(readFileSync(file, 'utf8'));
      writtenAt = mtimeMs;
    }
  }
  return real + ahead;
}

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static now() {
    return now();
  }
}
Object.defineProperty(ShiftedDate, 'name', { value: 'Date' });
globalThis.Date = ShiftedDate;
