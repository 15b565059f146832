export default {
  title: 'Fern',
  ignoreDeadLinks: true,
  srcExclude: ['parts/**'],
  rewrites: {
    'packages/:pkg/src/(.*)': ':pkg/(.*)',
    'other.md': 'b/two.md',
  },
  themeConfig: {
    nav: [
      {text: 'k101', link: '/guide/setup'},
      {text: 'k102', link: '/guide/'},
      {text: 'k103', link: '/guide/none'},
    ],
    sidebar: [
      {text: 'k104', link: '/guide/usage'},
      {text: 'Parts', items: [{text: 'k105', link: '/guide/usage#install'}]},
      {
        text: 'Based',
        base: '/guide/',
        items: [

          {text: 'k106', link: 'setup'},

          {text: 'k108', link: 'none'},
        ],
      },
    ],
  },
};
