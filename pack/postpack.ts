// Makes the checkout again what it was before `npm pack`.
import { pointTo, removeDist } from './places.ts'

pointTo('checkout')
removeDist()
