import React from 'react';
import Link from '@docusaurus/Link';

export default function Leaf({to, children}) {
  return <Link to={to}>{children}</Link>;
}
