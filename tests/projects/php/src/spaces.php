<?php

namespace First {
    function one() {}
}

namespace Second {
    use First as F;

    class Two
    {
        public function run()
        {
            F\one();
        }
    }
}
