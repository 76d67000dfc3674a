import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Parts } from './parts.tsx';

const root = document.getElementById('parts');
if (root !== null) {
  render(
    <LocationProvider>
      <Parts />
    </LocationProvider>,
    root,
  );
}
