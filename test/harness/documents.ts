/** GraphQL documents generated from the schema. */
import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parseValue,
  valueFromASTUntyped,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { anyText, ODD_TEXTS } from './fuzz.ts';

const types = schema();

/** Draws from a list of random numbers, so that fast-check can simplify a document by simplifying the list. */
class Draw {
  readonly variables = new Map<string, { type: string; value: unknown }>();
  readonly fragments: string[] = [];
  private turn = 0;
  private readonly numbers: readonly number[];
  private readonly texts: readonly string[];
  private readonly known: readonly string[];
  /** Whether arguments are variables, and the document has fragments. */
  readonly isRepeatable: boolean;

  constructor(numbers: readonly number[], texts: readonly string[], known: readonly string[], isRepeatable: boolean) {
    this.numbers = numbers;
    this.texts = texts;
    this.known = known;
    this.isRepeatable = isRepeatable;
  }

  number(below: number): number {
    const drawn = this.numbers[this.turn % this.numbers.length] ?? 0;
    this.turn += 1;
    return (drawn + Math.floor(this.turn / this.numbers.length)) % below;
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.number(values.length)] as Value;
  }

  text(): string {
    const kind = this.number(3);
    return kind === 0 ? this.oneOf(this.known) : kind === 1 ? this.oneOf(ODD_TEXTS) : this.oneOf(this.texts);
  }
}

/** A literal of a type. */
function literal(type: GraphQLInputType, draw: Draw): string {
  if (isNonNullType(type)) return value(type.ofType, draw);
  return draw.number(12) === 0 ? 'null' : value(type, draw);
}

function value(type: GraphQLInputType, draw: Draw): string {
  if (isListType(type)) {
    const length = draw.number(12) === 0 ? 101 : draw.number(4);
    return `[${Array.from({ length }, () => literal(type.ofType, draw)).join(', ')}]`;
  }
  if (isEnumType(type)) return draw.oneOf(type.getValues()).name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || draw.number(3) === 0);
    const chosen = type.isOneOf ? [draw.oneOf(Object.values(type.getFields()))] : fields;
    return `{${chosen.map((field) => `${field.name}: ${literal(field.type, draw)}`).join(', ')}}`;
  }
  switch (getNamedType(type).name) {
    case 'Int':
      return String(draw.oneOf([0, 1, 2, 5, 20, 100, 101, -1, 3_650, 3_651, 2 ** 31 - 1, -(2 ** 31)]));
    case 'Float':
      return draw.oneOf([...'0 1 -1 12.99 0.001 1e300 -0.0 1e-300 999999999999.99 9007199254740993'.split(' ')]);
    case 'Boolean':
      return draw.oneOf(['true', 'false']);
    case 'Day':
      return JSON.stringify(draw.oneOf(['2026-01-01', '2020-02-29', '0001-01-01', '9999-12-31', '2026-12-31']));
    default:
      return string(draw.text());
  }
}

// GraphQL strings are JSON strings, but without lone surrogates.
const string = (text: string) => JSON.stringify(text).replace(/\\ud[89a-f]../gi, '');

/** The value of an argument: a literal, or a variable. */
function argument({ type }: GraphQLArgument, draw: Draw): string {
  const written = literal(type, draw);
  if (!draw.isRepeatable || draw.number(8) === 0) return written;
  const name = `v${draw.variables.size}`;
  const odd = draw.number(12) === 0;
  const given = odd
    ? draw.oneOf<unknown>([null, undefined, 1.5, '5', true, [], {}, 'x'])
    : valueFromASTUntyped(parseValue(written));
  const hasDefault = draw.number(6) === 0 && !isNonNullType(type);
  draw.variables.set(name, { type: `${type}${hasDefault ? ` = ${literal(type, draw)}` : ''}`, value: given });
  return `$${name}`;
}

const argumentsOf = (args: readonly GraphQLArgument[], draw: Draw) => {
  const chosen = args.filter((each) => isNonNullType(each.type) || draw.number(3) === 0);
  const written = chosen.map((each) => `${each.name}: ${argument(each, draw)}`);
  return written.length === 0 ? '' : `(${written.join(', ')})`;
};

function selection(type: GraphQLOutputType, draw: Draw, depth: number): string {
  const named = getNamedType(type);
  if (isAbstractType(named)) {
    const parts = types.getPossibleTypes(named).filter(() => draw.number(2) === 0);
    return `{ __typename ${parts.map((part) => `... on ${part.name} ${selection(part, draw, depth)}`).join(' ')} }`;
  }
  if (!isObjectType(named)) return '';
  const all = Object.values(named.getFields());
  const leaves = all.filter(
    (field) => !isObjectType(getNamedType(field.type)) && !isAbstractType(getNamedType(field.type)),
  );
  const count = 1 + draw.number(4);
  const fields = Array.from({ length: count }, () => draw.oneOf(depth <= 0 && leaves.length > 0 ? leaves : all));
  const written = fields.map((field, index) => {
    if (depth <= 0 && !leaves.includes(field)) return '__typename';
    const inside = selection(field.type, draw, depth - 1);
    const directives = ['', '', '', '', '', '@include(if: true)', '@skip(if: false)', '@skip(if: true)'];
    const directive = draw.isRepeatable ? '' : draw.oneOf(directives);
    // A field without a name of its own may be selected twice, and is one field then.
    if (draw.isRepeatable && field.args.length === 0 && draw.number(3) > 0) return `${field.name} ${inside}`;
    return `${named.name}${depth}x${index}: ${field.name}${argumentsOf(field.args, draw)} ${directive} ${inside}`;
  });
  const body = written.join(' ');
  if (draw.isRepeatable && draw.number(4) === 0) {
    const name = `F${draw.fragments.length}`;
    draw.fragments.push(`fragment ${name} on ${named.name} { ${body} }`);
    return draw.number(2) === 0 ? `{ ...${name} }` : `{ __typename ...${name} ...${name} }`;
  }
  return draw.oneOf([
    `{ ${body} }`,
    `{ ${body} }`,
    `{ ... on ${named.name} { ${body} } }`,
    `{ ...{ ${body} } __typename }`,
  ]);
}

const queryType = () => {
  const query = types.getQueryType();
  if (!query) throw new Error('The schema has no queries.');
  return query;
};

const seeds = fc.record({
  numbers: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 120 }),
  texts: fc.array(anyText(20), { minLength: 1, maxLength: 4 }),
  depth: fc.integer({ min: 1, max: 5 }),
});

/** Valid documents of one query. @param known texts that are likely to be found. */
export const documents = (known: () => readonly string[]) =>
  seeds.map(({ numbers, texts, depth }) => selection(queryType(), new Draw(numbers, texts, known(), false), depth));

/** Queries as clients repeat them, mostly valid: with fragments, and variables some of which have values of a wrong type. */
export const repeatableQueries = (known: () => readonly string[]) =>
  seeds.map(({ numbers, texts, depth }) => {
    const draw = new Draw(numbers, texts, known(), true);
    const body = selection(queryType(), draw, depth);
    const defined = [...draw.variables].map(([name, { type }]) => `$${name}: ${type}`).join(', ');
    const variables: Record<string, unknown> = {};
    for (const [name, { value: given }] of draw.variables) if (given !== undefined) variables[name] = given;
    return { query: `query Repeated${defined && `(${defined})`} ${body} ${draw.fragments.join(' ')}`, variables };
  });
