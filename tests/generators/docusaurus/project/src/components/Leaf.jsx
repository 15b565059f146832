import React from 'react';
import Link from '@docusaurus/Link';

export default function Leaf({to}) {
  return <Link to={to}>k67</Link>;
}
