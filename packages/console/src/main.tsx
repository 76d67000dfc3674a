import { render } from 'preact';
import { Console } from './shell/console.tsx';
import { fetchPage } from './shell/pages.tsx';
import { applyTheme } from './shell/theme.tsx';

applyTheme();
fetchPage(location.pathname);
const root = document.getElementById('root');
if (root !== null) render(<Console />, root);
