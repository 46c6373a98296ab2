// Before any schema is made: the policy of the page forbids code that is made of text.
import * as z from 'zod'

z.config({ jitless: true })
