/**
 * Writes what is derived and checked in: `schema.graphql`, the types of the GraphQL documents that the REST table and the
 * tests use, what the clients in `examples` and the tests' client are typed by, and the plans in `prisma/schema.prisma`. `npm run codegen` writes, `npm run codegen -- --check`
 * fails where something is stale.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { type ASTNode, type DocumentNode, Kind, lexicographicSortSchema, parse, printSchema, visit } from 'graphql';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { PLAN_IDS } from './src/access/plans.ts';
import { schema } from './src/graphql/schema.ts';
import { openApi } from './src/rest/openapi.ts';
import { ROUTES } from './src/rest/routes.ts';

const isCheck = process.argv.includes('--check');
const GENERATED = '// Written by `npm run codegen`: do not change it by hand.\n';

/** The documents of the REST table, and what stands in graphql(`…`) in the pages and the tests. */
function documentTexts(): string[] {
  const rest = ROUTES.flatMap(({ source }) => ('document' in source ? [source.document] : []));
  const others = ['src/web', 'test']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?<![.\w])graphql\(\s*`([^`]*)`/g)])
    .map(([, text]) => text ?? '');
  return [...new Set([...rest, ...others])];
}

/** A document without its fragments, each of which stands in place of its spreads: fragments of one name differ between documents. */
function withoutFragments(text: string): { name: string; type: string; document: DocumentNode } {
  const { definitions } = parse(text);
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const inline = <Node extends ASTNode>(node: Node): Node =>
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment) throw new Error(`A document lacks the fragment ${name.value}: ${text}`);
        const { typeCondition, selectionSet } = inline(fragment);
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet };
      },
    });
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  if (!operation?.name) throw new Error(`A document has no named operation: ${text}`);
  // What the names of its generated types start with.
  const type = operation.name.value + operation.operation.replace(/^./, (letter) => letter.toUpperCase());
  return { name: operation.name.value, type, document: { kind: Kind.DOCUMENT, definitions: [inline(operation)] } };
}

async function documentsFile(): Promise<string> {
  const texts = documentTexts();
  const documents = texts.map(withoutFragments);
  const types = await codegen({
    schema: parse(printSchema(schema())),
    documents: documents.map(({ name, document }) => ({ location: name, document })),
    filename: 'documents.ts',
    config: {},
    plugins: [
      {
        typescriptOperations: {
          enumType: 'string-literal',
          scalars: { DateTime: 'string', Day: 'string', ID: 'string' },
          skipTypename: true,
          onlyOperationTypes: true,
          disableDescriptions: true,
        },
      },
    ],
    pluginMap: { typescriptOperations },
  });
  const entries = documents.map(
    ({ type }, index) => `  ${JSON.stringify(texts[index])}: { result: ${type}; variables: ${type}Variables };\n`,
  );
  return `${GENERATED}\n${types
    .trim()
    .replaceAll(/\n {2}\| /g, ' | ')
    .replaceAll('= |', '=')
    .replaceAll(
      /\n{3,}/g,
      '\n\n',
    )}\n\n/** The types of each document, by its text. */\nexport interface Documents {\n${entries.join('')}}\n`;
}

async function restTypes(): Promise<string> {
  const document = openApi({ publicUrl: 'https://api.example.com', currency: 'EUR', country: 'PT' }, ROUTES);
  return `${GENERATED}${astToString(await openapiTypes(document as OpenAPI3))}`;
}

const EXAMPLE = 'examples/graphql-client';

/** What GraphQL Code Generator's client preset makes of the example's documents, file by file, the trusted documents among them. */
async function clientFiles(): Promise<Record<string, string>> {
  const source = readFileSync(join(EXAMPLE, 'main.ts'), 'utf8');
  const documents = [...source.matchAll(/(?<![.\w])graphql\(\s*`([^`]*)`/g)].map(([, text = '']) => ({
    location: join(EXAMPLE, 'main.ts'),
    document: parse(text),
    rawSDL: text,
  }));
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: `${EXAMPLE}/generated/`,
    schema: parse(printSchema(schema())),
    schemaAst: schema(),
    documents,
    presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
    config: {
      documentMode: 'string',
      useTypeImports: true,
      enumsAsTypes: true,
      onlyOperationTypes: true,
      emitLegacyCommonJSImports: false,
      scalars: { DateTime: 'string', Day: 'string', ID: 'string' },
    },
    plugins: [],
    pluginMap: {},
    pluginContext: {},
  });
  const made = await Promise.all(sections.map(async (section) => [section.filename, await codegen(section)] as const));
  return Object.fromEntries(
    made.map(([file, text]) => [file, file.endsWith('.json') ? `${text.trim()}\n` : `${GENERATED}${text.trim()}\n`]),
  );
}

/** The Prisma schema with the plans as the values of its enum. */
function prismaSchema(): string {
  const values = PLAN_IDS.map((id) => `  ${id}\n`).join('');
  return readFileSync('prisma/schema.prisma', 'utf8').replace(/(?<=^enum PlanId \{\n)(?: {2}\w+\n)+/m, values);
}

const files: Record<string, string> = {
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema()))}\n`,
  'prisma/schema.prisma': prismaSchema(),
  'src/graphql/documents.ts': await documentsFile(),
  'examples/rest-client/rest-api.ts': await restTypes(),
  ...(await clientFiles()),
};

let stale = 0;
for (const [file, text] of Object.entries(files)) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (isCheck) {
    process.stderr.write(`${file} is stale: run \`npm run codegen\` and commit it.\n`);
    stale += 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`Wrote ${file}\n`);
  }
}
process.exit(stale > 0 ? 1 : 0);
