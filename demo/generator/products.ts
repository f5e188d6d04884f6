/** The demo's products: names, identifiers with right check digits, and the price that shops' prices move around. */
import { checkDigit } from '../../src/values/gtin.ts';
import { COLOURS, DEPARTMENTS, type Department } from './departments.ts';
import { type Random, randomOf } from './random.ts';

export interface Product {
  number: number;
  department: Department;
  title: string;
  brand: string;
  mpn: string | undefined;
  /** As a shop writes it: 8, 12, 13 or 14 digits; absent where only the ASIN is known. */
  gtin: string | undefined;
  asin: string | undefined;
  description: string;
  image: string;
  /** Where its goods differ by colour. */
  colour: string | undefined;
  /** What it is a variant of. */
  model: string;
  /** In cents. */
  basePrice: number;
}

const EACH = 10;
// Prefixes of GS1 member organisations that give out trade item numbers (GS1 General Specifications §1.4).
const PREFIXES = ['400', '405', '301', '376', '501', '800', '843', '871', '460', '590'];
const ASIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The product that the README looks up. */
const FAMOUS: Omit<Product, 'department'> = {
  number: 0,
  title: 'Markina Glow Line Highlighter Yellow',
  brand: 'Markina',
  mpn: 'MK-1000',
  gtin: '4006381333931',
  asin: 'B0DEMO0001',
  description: 'Highlighter with ink that does not dry out. Two line widths, and it does not smear print.',
  image: 'https://images.example/4006381333931.jpg',
  colour: 'Yellow',
  model: 'Markina Glow Line Highlighter',
  basePrice: 149,
};

/** All products of the demo, the README's first. */
export function makeProducts(): Product[] {
  const products: Product[] = [];
  const titles = new Set<string>();
  const office = DEPARTMENTS.find(({ noun }) => noun === 'Highlighter');
  if (!office) throw new Error('There is no department for highlighters.');
  products.push({ ...FAMOUS, department: office });
  titles.add(FAMOUS.title);
  for (const department of DEPARTMENTS) {
    const random = randomOf(`products ${department.category}`);
    for (let made = 0; made < EACH; ) {
      const brand = random.pick(department.brands);
      const model = random.pick(department.models);
      const variant = random.pick(department.variants);
      const title = `${brand} ${model} ${department.noun} ${variant}`;
      if (titles.has(title)) continue;
      titles.add(title);
      products.push(makeProduct(products.length, department, brand, title, variant, random));
      made += 1;
    }
  }
  return products;
}

function makeProduct(
  number: number,
  department: Department,
  brand: string,
  title: string,
  variant: string,
  random: Random,
): Product {
  const gtin = number % 41 === 7 ? undefined : makeGtin(number, random);
  const asin = gtin === undefined || number % 3 === 0 ? makeAsin(random) : undefined;
  const virtue = random.pick(department.virtues);
  const [low, high] = department.prices;
  return {
    number,
    department,
    title,
    brand,
    // Two goods of three have an MPN; those without a GTIN are known by their ASIN.
    mpn: number % 3 === 2 ? undefined : `${asciiInitials(brand)}-${1000 + number}`,
    gtin,
    asin,
    description: `${title}: ${virtue}. Also: ${random.pick(department.virtues.filter((each) => each !== virtue))}.`,
    image: `https://images.example/${number}.jpg`,
    colour: department.variants === COLOURS ? variant : undefined,
    model: title.slice(0, -variant.length - 1),
    basePrice: Math.round((low + (high - low) * random.next() ** 2) * 100),
  };
}

function makeGtin(number: number, random: Random): string {
  if (number % 53 === 11)
    return withCheckDigit(`1${random.pick(PREFIXES)}${String(100_000_000 + number * 7).slice(0, 9)}`);
  if (number % 59 === 13) return withCheckDigit(`8${String(1_000_000_000 + number * 7919).slice(0, 10)}`);
  if (number % 97 === 17) return withCheckDigit(`96${String(10_000 + number).slice(0, 5)}`);
  return withCheckDigit(`${random.pick(PREFIXES)}${String(100_000_000 + number * 104_729).slice(0, 9)}`);
}

function withCheckDigit(body: string): string {
  return body + checkDigit(body);
}

function makeAsin(random: Random): string {
  return `B0${Array.from({ length: 8 }, () => random.pick([...ASIN_CHARACTERS])).join('')}`;
}

function asciiInitials(brand: string): string {
  return (brand.normalize('NFKD').replace(/[^A-Za-z]/g, '') || 'RU').slice(0, 2).toUpperCase();
}
