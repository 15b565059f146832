import { defineConfig } from 'vitepress'
import { en } from './en.mjs'

export default defineConfig({
  title: 'Moss',
  base: '/base/',
  cleanUrls: true,
  ignoreDeadLinks: true,
  ...en,
})
