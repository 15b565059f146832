export const en = {
  themeConfig: {
    nav: [
      { text: 'k1', link: '/guide/setup' },
      { text: 'k2', link: '/guide/none' },
      { text: 'k3', link: '/reference/list' },
    ],
    sidebar: [
      { text: 'k4', link: '/guide/setup' },
      { text: 'k7', link: '/guide/setup#first' },
    ],
  },
}
