export default {
  title: 'Fern',
  url: 'https://fern.example',
  baseUrl: '/',
  onBrokenLinks: 'warn',
  onBrokenAnchors: 'warn',
  markdown: {
    hooks: {onBrokenMarkdownLinks: 'warn', onBrokenMarkdownImages: 'warn'},
  },
  i18n: {defaultLocale: 'en', locales: ['en', 'fr']},
  presets: [
    [
      'classic',
      {
        docs: {sidebarPath: './sidebars.js'},
        blog: {onInlineAuthors: 'ignore', onUntruncatedBlogPosts: 'ignore'},
      },
    ],
  ],
  plugins: [
    [
      '@docusaurus/plugin-content-docs',
      {
        id: 'community',
        path: 'community',
        routeBasePath: 'people',
        sidebarPath: false,
      },
    ],
  ],
  themeConfig: {
    navbar: {
      items: [

        {to: '/people', label: 'k101'},

        {to: '/docs/guide/setup', label: 'k102'},

        {to: '/docs/guide/none', label: 'k103'},

      ],
    },
  },
};
