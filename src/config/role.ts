import * as z from 'zod'

/** `reader` looks; `editor` also acts; `admin` also sees the configuration and what people did. */
export const Role = z.enum(['reader', 'editor', 'admin'])
export type Role = z.infer<typeof Role>
