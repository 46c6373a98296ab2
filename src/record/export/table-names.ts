/** What can be exported. Apart from the tables: `--help` needs no more. */
export const exportTableNames = ['changes', 'notifications', 'figures'] as const
export type ExportTableName = (typeof exportTableNames)[number]
