import React from 'react';

export default function Tool() {
  return <h1>Tool page</h1>;
}
