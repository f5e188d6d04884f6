/** Words of names, in the languages that shops use most, that tell whether an amount is that of the goods. All are in lower case. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Before an amount: it is a limit, a use, a rate, or an amount of each of several. */
export const BEFORE_OTHER_AMOUNTS = words(`
  a à ab als bis each ergibt ergeben ersetzt entspricht for from für je jede jeder jedes jusqu makes max maximal min mindestens over
  par per pour pro reicht than to über under unter up von yields zu zum
`);

/** After an amount: it belongs to a rate, a range or a gift. */
export const AFTER_OTHER_AMOUNTS = words('bis each free gratis je kostenlos mehr more offert offerts per plus pro to');

/** Anywhere in a name: its amounts are not exact, or there is more than one. */
export const INEXACT = words(`
  about approx approximately bogo ca circa env environ etwa gratis kostenlos offert offerts ungefähr variabel variable
  eur euro usd gbp chf
`);

/** Anywhere in a name: the goods are several packs, and an amount may be that of each. Only a written multiplication tells. */
export const SEVERAL_PACKS = words(`
  assortment bundle bundles box case collection doppelpack doppelpackung duo duopack geschenkset kartons kasten kiste kit kombi lot mixpaket
  multibuy multipack pack packs packungen pakete palette probierpaket probierset quartett sampler set sets sixpack sortiment sparpack sparpaket
  sparset tasting tray trio tripack twin twinpack variety vorratspack vorteilspack
`);

/** After a number: it counts packs or pieces. */
export const COUNTED = words(`
  bag bags bar bars beutel bottle bottles can cans capsule capsules count ct dose dosen fach flasche flaschen gläser glas jar jars
  kapsel kapseln kartons kästen kisten pack packs packung packungen pads paket pakete pc pcs piece pieces pièces portionen portions pouch
  pouches riegel sachet sachets set sets st stange stangen sticks stk stück stücke tab tabs tabletten tablets tafel tafeln teilig teebeutel tüte tüten
  tube tuben unit units
`);

/** Parts of words for goods whose amount is their capacity, load or own weight. */
export const CAPACITIES = [
  'aufbewahr',
  'backpack',
  'behälter',
  'brotdose',
  'container',
  'cooler',
  'dumbbell',
  'eimer',
  'frischhalte',
  'gewicht',
  'hantel',
  'kanister',
  'karaffe',
  'kettle',
  'kocher',
  'kühlbox',
  'mixer',
  'rucksack',
  'schüssel',
  'tank',
  'topf',
  'trinkflasche',
  'vorrats',
  'weight',
] as const;
