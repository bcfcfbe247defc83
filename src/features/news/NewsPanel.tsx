import { useLocation } from 'react-router-dom';
import { NewsArticleScreen } from './NewsArticleScreen';
import { NewsScreen } from './NewsScreen';

/** The list of articles, or the one that was chosen, as a panel of the workspace. */
export default function NewsPanel() {
  const { pathname, search } = useLocation();
  return pathname === '/news/detail' ? <NewsArticleScreen key={search} /> : <NewsScreen />;
}
