export default {
  title: 'Moss',
  url: 'http://site.test',
  baseUrl: '/base/',
  onBrokenLinks: 'warn',
  onBrokenAnchors: 'warn',
  markdown: {
    format: 'detect',
    hooks: {onBrokenMarkdownLinks: 'warn', onBrokenMarkdownImages: 'warn'},
  },
  presets: [['classic', {docs: {sidebarPath: './sidebars.js'}, blog: false}]],
  themeConfig: {
    navbar: {
      items: [

        {to: '/docs/guide/setup', label: 'k1'},


        {href: 'http://site.test/base/docs/guide/setup', label: 'k3'},

        {to: '/docs/guide/none', label: 'k4'},

      ],
    },
  },
};
