export const en = {
  themeConfig: {
    nav: [
      { text: 'k1', link: '/guide/setup' },
      { text: 'k2', link: '/guide/none' },
      { text: 'k3', link: '/api/list' },
    ],
    sidebar: {
      '/guide/': {
        base: '/guide/',
        items: [
          { text: 'k4', link: 'setup' },
          { text: 'k5', link: 'usage' },
          { text: 'k6', link: 'missing' },
          { text: 'k7', link: 'setup#first' },
        ],
      },
    },
  },
}
