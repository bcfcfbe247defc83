import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isRightToLeft, LANGUAGE_TAGS, type Language, languageOfTags } from '#domain/core/language';
import { language, type t, textsIn } from '../i18n/i18n';
import { LANGUAGE_NAMES } from '../i18n/languageNames';
import { chooseLanguage } from '../session/language';
import { saveLanguage } from '../session/savedLanguage';
import { IconButton } from '../ui/Button';
import { showToastHere } from '../ui/toastStore';
import { Banner } from './Banner';

/**
 * Offers the browser's language to a visitor who has chosen none, in that language (D27). The
 * answer is the choice, so that the question is not asked again.
 */
export default function LanguageOffer() {
  const [offer, setOffer] = useState<{ to: Language; say: typeof t }>();

  useEffect(() => {
    const to = languageOfTags(navigator.languages);
    if (!to || to === language.peek()) return;
    // Without its strings there is nothing to offer.
    textsIn(to).then(
      (say) => setOffer({ to, say }),
      () => {},
    );
  }, []);

  if (!offer) return null;
  const { to, say } = offer;
  const close = () => setOffer(undefined);
  return (
    <div lang={LANGUAGE_TAGS[to]} dir={isRightToLeft(to) ? 'rtl' : 'ltr'}>
      <Banner
        small
        text={say('language.offer')}
        action={LANGUAGE_NAMES[to]}
        onAction={() =>
          chooseLanguage(to).then(close, () => showToastHere(say('language.failed'), 'error'))
        }
      >
        <IconButton
          label={say('common.dismiss')}
          onClick={() => {
            saveLanguage(language.peek());
            close();
          }}
        >
          <X size={16} aria-hidden="true" />
        </IconButton>
      </Banner>
    </div>
  );
}
