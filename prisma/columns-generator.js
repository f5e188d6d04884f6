/** A generator of Prisma: tables, columns, sequences and enums as the database names them, for statements that are written by hand. */
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
    const withSequence = dmmf.datamodel.models
      .filter(({ fields }) =>
        fields.some(({ name, default: value }) => name === 'id' && value?.name === 'autoincrement'),
      )
      .map(({ name, dbName }) => dbName ?? name);
    const enums = dmmf.datamodel.enums.map(({ name, dbName, values }) => [
      dbName ?? name,
      values.map((value) => value.dbName ?? value.name),
    ]);
    const constant = (comment, name, value) =>
      `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;
    writeFileSync(
      generator.output.value,
      [
        constant(
          "The table of each model, and its columns by the model's fields.",
          'TABLES',
          Object.fromEntries(tables),
        ),
        constant('The tables whose ids come from a sequence.', 'TABLES_WITH_SEQUENCE', withSequence),
        constant('The values of each enum.', 'ENUMS', Object.fromEntries(enums)),
      ].join('\n'),
    );
  },
});
