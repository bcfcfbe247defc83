import { useContext } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { Embedded } from './embedded';
import { screenNow } from './toastStore';

/** As `useNavigate`, for what follows from an answer: does nothing where the user has gone to another screen meanwhile. */
export function useNavigateHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const panel = useContext(Embedded);
  const { pathname } = useLocation();
  return (to, options) => {
    if (panel || screenNow() === `#${pathname}`) void navigate(to, options);
  };
}
