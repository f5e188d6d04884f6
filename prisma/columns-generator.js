/** A generator of Prisma: the table and the columns of each model, for statements that are written by hand. */
import { writeFileSync } from 'node:fs';
import generatorHelper from '@prisma/generator-helper';

generatorHelper.generatorHandler({
  onManifest: () => ({ prettyName: 'Column names', defaultOutput: '../src/generated/columns.ts' }),
  async onGenerate({ dmmf, generator }) {
    const tables = dmmf.datamodel.models.map(({ name, dbName, fields }) => {
      const columns = fields
        .filter(({ kind }) => kind !== 'object')
        .map((field) => [field.name, field.dbName ?? field.name]);
      return [name, { table: dbName ?? name, columns: Object.fromEntries(columns) }];
    });
    const text = JSON.stringify(Object.fromEntries(tables), null, 2);
    writeFileSync(
      generator.output.value,
      `/** The table of each model, and its columns by the model's fields. */\nexport const TABLES = ${text} as const;\n`,
    );
  },
});
