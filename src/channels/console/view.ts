import type { Message } from '../../message/message.ts'
import type { View } from '../view.ts'
import type { ConsoleSettings } from './config.ts'
import { previewOf } from './preview.ts'

export function viewOnConsole(message: Message, settings: ConsoleSettings): View {
  return { text: (style) => previewOf(message, settings, style), payload: message, files: {} }
}
