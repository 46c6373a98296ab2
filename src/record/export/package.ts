import { type ExportTableName, exportTableNames } from './table-names.ts'
import { columnsOf, exportTables } from './tables.ts'

interface PackageContext {
  /** Of the program that wrote it. */
  version: string
  /** Milliseconds since the epoch. */
  now: number
  /** First and last day, in UTC. */
  from: string
  to: string
  /** Name of the monitoring service. */
  service: string
}

const packageTitle = 'Refusals of AI chat models: changes, notifications and published figures'

/** `datapackage.json` of https://datapackage.org (version 1) for a folder with one CSV file for each table. */
export function dataPackage({ version, now, from, to, service }: PackageContext): object {
  return {
    profile: 'tabular-data-package',
    name: 'bluepencil-refusals',
    title: packageTitle,
    description: `Recorded by Bluepencil ${version} from the ${service}, ${from} to ${to} (UTC).`,
    version,
    created: new Date(now).toISOString(),
    sources: [{ title: service }],
    resources: exportTableNames.map((table) => ({
      profile: 'tabular-data-resource',
      name: table,
      title: exportTables[table].heading,
      description: exportTables[table].schema.meta()?.description,
      path: `${table}.csv`,
      format: 'csv',
      mediatype: 'text/csv',
      encoding: 'utf-8',
      schema: tableSchema(table),
    })),
  }
}

function tableSchema(table: ExportTableName): object {
  const { key, refersTo } = exportTables[table]
  return {
    fields: columnsOf(table).map(({ name, type, values, isRequired, description }) => ({
      name,
      type,
      description,
      ...((isRequired || values) && {
        constraints: { ...(isRequired && { required: true }), ...(values && { enum: values }) },
      }),
    })),
    missingValues: [''],
    ...(key && { primaryKey: key }),
    ...(refersTo && {
      foreignKeys: [
        { fields: [refersTo.field], reference: { resource: refersTo.table, fields: [refersTo.of] } },
      ],
    }),
  }
}

/** The same for people: what stands in each column, with its unit. */
export function codebook(context: PackageContext): string {
  const tables = exportTableNames.flatMap((table) => [
    `## ${exportTables[table].heading} (${table}.csv)`,
    '',
    `${exportTables[table].schema.meta()?.description ?? ''}. An empty cell means unknown or not applicable.`,
    '',
    '| column | form | what it is |',
    '|---|---|---|',
    ...columnsOf(table).map(
      ({ name, type, values, description }) =>
        `| ${name} | ${values ? values.join(', ') : type} | ${description.replaceAll('|', '\\|')} |`,
    ),
    '',
  ])
  return [
    '# Codebook',
    '',
    `Recorded by Bluepencil ${context.version} from the ${context.service}, ${context.from} to ${context.to} (UTC).`,
    'Rates are in percent, differences in percentage points, times in UTC.',
    'In CSV, text that begins with =, +, - or @ gets an apostrophe in front, so that spreadsheets do not run it.',
    '',
    ...tables,
  ].join('\n')
}
